"""Debian packages of one scenario (`# debs: NAME...`), with all that they need and the image does not have: files in $RIG/debs."""
import functools

from . import image
from .cache import cached, digest, run


def _installed_in_image(debian, directory):
    """dpkg's list of what the image has, read out of its file system."""
    status = directory / "status"
    run("debugfs", "-R", f"dump /var/lib/dpkg/status {status}", image.image(debian) / "disk.img")
    return status


def _make(debian, names, directory):
    """apt decides what is missing as it would in the guest, and installs nothing."""
    status = _installed_in_image(debian, directory)
    options = {"Debug::NoLocking": "1", "Dir::State::status": status,
               "Dir::Cache::archives": directory, "Dir::Cache::pkgcache": "", "Dir::Cache::srcpkgcache": ""}
    run(*debian.apt(), *(word for key, value in options.items() for word in ("-o", f"{key}={value}")),
        "--no-install-recommends", "--download-only", "-y", "install", *names)
    (directory / "partial").rmdir()
    status.unlink()


def _folder(debian, names):
    inputs = digest(debian.inputs(), *image.packages(debian), *names)
    return cached("scenario-debs", inputs, functools.partial(_make, debian, names))


def files(debian, names):
    """{path below $RIG: bytes} of the packages of these names; nothing without names."""
    return {f"debs/{path.name}": path.read_bytes() for path in sorted(_folder(debian, names).glob("*.deb"))} if names else {}
