"""The host's side of tests/vm: kernel, image, snapshot and scenarios, each made once and kept by the hash of its inputs."""
