"""The bench of speed over a folder of a few lines, without other libraries and without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def speed(bench_called):
    return bench_called("speed")


SAID = [
    "The kiln in the yard takes four hours. My glaze is blue.",
    "院子裡的窯要燒四個小時。我的釉是藍色的。",
    "院子里的窑要烧四个小时。我的釉是蓝色的。",
    "庭の窯は四時間かかります。私の釉薬は青いです。",
]


@pytest.fixture
def data(tmp_path, speed):
    talk = {
        "sessions": [{"turns": [{"content": text} for text in SAID]}],
        "questions": [{"question": text.split("。")[0].split(".")[0] + "?"} for text in SAID],
    }
    for file in (*speed.SAID_IN, *speed.PASSAGES, *speed.ASKED_IN):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        line = talk if file in speed.SAID_IN else {"text": SAID[0], "question": "Which kiln?"}
        path.write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    return tmp_path


def test_a_size_is_measured_and_told(speed, data, tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "TURNS", 3)
    vectors = tmp_path / "vectors.npy"
    real = np.random.default_rng(0).standard_normal((8, 16)).astype(np.float32)
    np.save(vectors, real)
    messages, asked = speed.texts(data, 12), speed.questions(data, 4)
    assert messages == speed.texts(data, 12)
    assert len(set(asked)) == 4
    monkeypatch.setattr(speed, "_child", lambda given, *_: speed.ask(given))
    row = speed.measured({"messages": messages, "questions": asked, "vectors": str(vectors)})
    assert row["size"] == 9
    assert all(row[name]["processor_p95"] > 0 for name in speed._COLUMNS)
    page = speed.as_page(
        {
            "command": "make bench-speed",
            "version": "0",
            "commit": "0",
            "machine": {"cores": 1, "processor": "a", "python": "3", "load": [0.1]},
            "embedding": {"embedder": "e", **row["bm25"]},
            "rows": [row, {**row, "size": 90}, {"who": "mem0", "size": 90, "failed": "not done after 1 s"}],
        }
    )
    assert "| 9 | " in page
    assert "grows from 9 to 90 by 1.00 times" in page
    assert "| 90 | mem0 | not done after 1 s |" in page


def test_vectors_are_those_of_the_text_and_as_the_peers_get_them(speed):
    real = np.random.default_rng(0).standard_normal((8, 16)).astype(np.float32)
    made = speed.Mixed(real, "x").embed(["a", "b", "a"], query=False)
    assert np.allclose(made[0], made[2])
    assert not np.allclose(made[0], made[1])
    assert np.allclose(np.linalg.norm(made, axis=1), 1)
    text = (Path(speed.__file__).parent / "speed_peers.py").read_text("utf-8")
    start, end = text.index("def vectors_of"), text.index("class LangChain")
    names: dict[str, object] = {"np": np, "hashlib": speed.hashlib, "Any": object}
    exec(text[start:end], names)
    assert np.allclose(names["vectors_of"](real, ["a", "b"]), made[:2])


def test_without_a_folder_it_says_so(speed):
    with pytest.raises(SystemExit, match="no folder of evaluation data at /nowhere"):
        speed.main(["/nowhere"])
