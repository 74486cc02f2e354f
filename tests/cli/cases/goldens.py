"""The cases of tests/golden, so that one command runs all that the binary says."""
from golden import cases


def more_tests():
    return cases.cases()
