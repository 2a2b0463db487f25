"""Imports the modules of validation/ for tests."""
import importlib.util
import sys
from pathlib import Path

VALIDATION = Path(__file__).resolve().parents[1] / "validation"
sys.path.insert(0, str(VALIDATION))


def caseOf(name):
    spec = importlib.util.spec_from_file_location(name, VALIDATION / "cases" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
