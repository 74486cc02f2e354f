# SPDX-License-Identifier: Apache-2.0
"""Loads a program without a suffix, such as tests/cli/run, as a module."""
import importlib.util
from importlib.machinery import SourceFileLoader


def program(path):
    """The module of the program at `path`, called as its folder. Its main part does not run."""
    loader = SourceFileLoader(path.parent.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
