"""Images with more than the guest's own, which a scenario asks for by name (`# image: NAME`). Each boots cold: what its kernel is told is
part of no snapshot."""
from .cache import run


def _enforce(root):
    """The policy rules from the first boot on. setfiles finds files by /proc; -m: this machine's mounts have no say in what it labels."""
    (root / "etc/selinux/config").write_text("SELINUX=enforcing\nSELINUXTYPE=default\n")
    label = "mount --rbind /proc proc; exec chroot . setfiles -m -F -e /proc /etc/selinux/default/contexts/files/file_contexts /"
    run("unshare", "--mount", "sh", "-ec", label, cwd=root)


class Variant:
    """packages: of Debian, beside those of guest/packages; words: for its kernel; finish(root): the last change to its files."""

    def __init__(self, packages, words, finish):
        self.packages, self.words, self.finish = packages, words, finish


VARIANTS = {"selinux": Variant(["selinux-policy-default", "policycoreutils"], "security=selinux selinux=1 enforcing=1", _enforce)}
