# SPDX-License-Identifier: Apache-2.0
"""The real buildah, with a store of its own in one folder: it reaches no registry and needs no daemon, cgroup or network."""
import hashlib
import json
import tarfile

from published import said

EPOCH = "1700000000"  # seconds: what every file of a layer has as its time


class Buildah:
    """`folder`: where the images lie; it may not be there yet."""

    def __init__(self, folder):
        self.folder = folder
        self.command = ["buildah", "--root", folder / "images", "--runroot", folder / "run", "--storage-driver", "vfs"]

    def __call__(self, *words, under=()):
        """What it printed; it has to end well. `under`: a command that runs it, with its options."""
        return said(*under, *self.command, *words)

    def from_tree(self, tree, name):
        """An image that holds a copy of this tree."""
        made = self("from", "scratch").strip()
        self("add", "--quiet", made, tree, "/")
        self("commit", "--quiet", "--rm", made, name)

    def build(self, context, name, base, under=()):
        """Makes the image `name` by the Containerfile in the folder `context`, whose BASE is the image `base`: one layer on it, each RUN anew."""
        return self("build", "--isolation", "chroot", "--timestamp", EPOCH, "--no-cache", "--build-arg", f"BASE={base}",
                    "--tag", name, context, under=under)

    def container(self, image):
        """A new one of this image: its name, and the folder that holds its files."""
        made = self("from", "--pull-never", image).strip()
        return made, self("mount", made).strip()

    def last_layer(self, image):
        """The digest of the image's last layer, and what `held` finds in it."""
        out = self.folder / f"{image.replace('/', '-')}.pushed"
        self("push", "--quiet", "--disable-compression", image, f"dir:{out}")
        digest = json.loads((out / "manifest.json").read_text())["layers"][-1]["digest"]
        return digest, held(out / digest.removeprefix("sha256:"))


def held(archive):
    """What each file and link of a tar is, with its mode and owner: by name. Its folders are left out."""
    with tarfile.open(archive) as tar:
        return {member.name.removeprefix("./"): (oct(member.mode & 0o7777), member.uid, member.gid, member.linkname,
                                                 hashlib.sha256(tar.extractfile(member).read()).hexdigest() if member.isreg() else "")
                for member in tar if not member.isdir()}
