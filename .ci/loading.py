"""Imports the scripts of this repository, whose names have no extension."""
import importlib.machinery
import importlib.util
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def script(path):
    """Imports a script. `path` begins at the root of the repository."""
    sys.dont_write_bytecode = True  # `Scripts` stays a folder of scripts.
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), os.path.join(ROOT, path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
