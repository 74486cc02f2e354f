"""Trees that are as a spec says, so that a plan of them finds nothing to do."""
import subprocess

from . import specs


def make_tree(root):
    (root / "etc").mkdir(parents=True)
    (root / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\n')
    (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")


def bake(product, directory, size, backend):
    """The command that plans such a tree of so many children, and its spec."""
    spec, root = directory / f"{backend}-{size}.yaml", directory / f"{backend}-{size}"
    spec.write_text(specs.children(size, backend))
    make_tree(root)
    subprocess.run([product, "apply", spec, "--root", root], check=True, capture_output=True)
    return [product, "plan", spec, "--root", root, "--detailed-exitcode"], spec
