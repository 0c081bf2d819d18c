"""The built wheel, installed where nothing of the development environment is."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def run(*command, **options):
    """Standard output; what went wrong is shown whole."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, encoding="utf-8", check=False, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
    (found,) = folder.glob("anaphor-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel alone: no extra, no test tools."""
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place, with_pip=True)
    binaries = place / ("Scripts" if os.name == "nt" else "bin")
    run(binaries / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    return binaries


@pytest.fixture
def environment(tmp_path):
    """Nothing set, no language, an empty directory."""
    return {"env": {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C"}, "cwd": tmp_path}


def test_it_says_its_version(installed, environment):
    assert run(installed / "anaphor", "--version", **environment).startswith("anaphor ")


def test_the_demonstration_plays_in_every_language(installed, environment):
    told = json.loads(run(installed / "anaphor", "demo", "--json", **environment))
    assert [c["language"] for c in told["conversations"]] == ["zh-Hant", "zh-Hans", "ja", "en"]
    assert {t["outcome"] for c in told["conversations"] for t in c["turns"]} == {"answered", "declined"}
    assert any("architecture" in file["source"] for file in told["ingested"]["files"]), "our own documentation is in"


def test_the_small_door_and_the_whole_system_in_python(installed, environment):
    (environment["cwd"] / "a.md").write_text("# Opening hours\n\nThe library is open from nine to five.\n", "utf-8")
    script = """
import anaphor
print(anaphor.reconstruct([{"role": "user", "content": "東京の人口は何人ですか"}], "では、大阪は？").text)
with anaphor.open("kb.db") as assistant:
    assistant.ingest("a.md")
    print(assistant.ask("When is the library open?").answer)
"""
    told = run(installed / "python", "-c", script, **environment)
    assert "大阪" in told
    assert "nine to five" in told


def test_the_core_is_small(installed):
    """Under 60 MB beside pip and the interpreter."""
    site = next(installed.parent.glob("lib/python*/site-packages"), installed.parent / "Lib/site-packages")
    own = [p for p in site.rglob("*") if p.is_file() and p.relative_to(site).parts[0] not in ("pip", "setuptools")]
    size = sum(p.stat().st_size for p in own) / 1_000_000
    assert size < 60, f"{size:.0f} MB"


def test_measuring_needs_its_extra_and_says_so(installed, environment):
    done = subprocess.run(
        [str(installed / "anaphor"), "eval"], capture_output=True, text=True, check=False, **environment
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pip install 'anaphor[eval]'" in done.stderr
