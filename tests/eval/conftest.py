import importlib.util
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def bench_called():
    """``bench_called("speed")`` is benchmarks/speed.py as a module; it finds what stands beside it."""
    sys.path.insert(0, str(BENCHMARKS))
    loaded = {}

    def load(name):
        # Under a name of its own: some are called like folders of these tests.
        key = f"bench_{name}"
        if key not in loaded:
            spec = importlib.util.spec_from_file_location(key, BENCHMARKS / f"{name}.py")
            sys.modules[key] = loaded[key] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(loaded[key])
        return loaded[key]

    yield load
    sys.path.remove(str(BENCHMARKS))
    for key in loaded:
        del sys.modules[key]
