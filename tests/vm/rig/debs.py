"""Debian packages of one scenario (`# debs: NAME...`), with all that they need and the image does not have: files in $RIG/debs."""
from . import image, release
from .cache import VM, cached, digest, listed, run


def _installed_in_image(directory):
    """dpkg's list of what the image has, read out of its file system."""
    status = directory / "status"
    run("debugfs", "-R", f"dump /var/lib/dpkg/status {status}", image.image() / "disk.img")
    return status


def _make(names, directory):
    """apt decides what is missing as it would in the guest, and installs nothing."""
    status = _installed_in_image(directory)
    options = {"Debug::NoLocking": "1", "Dir::State::status": status,
               "Dir::Cache::archives": directory, "Dir::Cache::pkgcache": "", "Dir::Cache::srcpkgcache": ""}
    run(*release.apt(), *(word for key, value in options.items() for word in ("-o", f"{key}={value}")),
        "--no-install-recommends", "--download-only", "-y", "install", *names)
    (directory / "partial").rmdir()
    status.unlink()


def _folder(names):
    inputs = digest(release.suite(), *listed(VM / "guest/packages"), *names)
    return cached("scenario-debs", inputs, lambda directory: _make(names, directory))


def files(names):
    """{path below $RIG: bytes} of the packages of these names; nothing without names."""
    return {f"debs/{path.name}": path.read_bytes() for path in sorted(_folder(names).glob("*.deb"))} if names else {}
