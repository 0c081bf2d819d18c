"""The public names: each is there, each is documented, and no other is promised."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import anaphor

API = (Path(__file__).parents[1] / "docs/api.md").read_text("utf-8")


def test_the_names_are_those_of_the_page():
    table = API.split("| name | what it is |", 1)[1].split("\n\n", 1)[0]
    assert sorted(re.findall(r"`anaphor\.(\w+)`", table)) == sorted(anaphor.__all__)


def test_the_names_are_in_order():
    assert list(anaphor.__all__) == sorted(anaphor.__all__)


@pytest.mark.parametrize("name", anaphor.__all__)
def test_each_name_is_there_and_says_what_it_is(name):
    found = getattr(anaphor, name)
    assert found.__doc__
    assert found.__module__.startswith("anaphor.")
    assert getattr(importlib.import_module(found.__module__), found.__name__) is found


def test_dir_shows_them_and_a_name_that_is_none_is_an_error():
    assert set(dir(anaphor)) == {*anaphor.__all__, "__version__"}
    with pytest.raises(AttributeError, match="no attribute 'rewrite'"):
        anaphor.rewrite  # noqa: B018


def test_a_star_import_brings_these_and_no_more():
    names: dict[str, object] = {}
    exec("from anaphor import *", names)
    assert names.keys() - {"__builtins__"} == set(anaphor.__all__)


def test_the_version_is_the_packages():
    from importlib.metadata import version

    assert anaphor.__version__ == version("anaphor")


def test_neither_the_import_nor_the_small_door_loads_another_package():
    code = (
        "import sys; before = set(sys.modules); import anaphor; "
        "anaphor.reconstruct([{'role': 'user', 'content': '東京の人口は'}], 'では大阪は？'); "
        "print(*{name.split('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["anaphor"]


def test_the_package_says_that_it_is_typed():
    assert (Path(anaphor.__file__).parent / "py.typed").is_file()
