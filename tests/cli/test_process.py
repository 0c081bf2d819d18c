"""The command as a process of its own: encodings, pipes, signals."""

import contextlib
import json
import os
import signal
import subprocess
import sys

import pytest

ANAPHOR = [sys.executable, "-c", "from anaphor.cli import main; main()"]


def environment(**changes):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT", "PYTHONPATH") if name in os.environ}
    return {**kept, "ANAPHOR_EMBEDDER": "none", **changes}


def start(place, *arguments, **changes):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [*ANAPHOR, *arguments]
    return subprocess.Popen(command, cwd=place, env=environment(**changes), preexec_fn=hears_ctrl_c, **pipes)


def hears_ctrl_c():
    """A shell that runs the tests in its background has them ignore it, and whatever they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(process, stdin=""):
    """Output, errors and status."""
    out, err = process.communicate(stdin.encode("utf-8"), timeout=120)
    return out.decode("utf-8"), err.decode("utf-8"), process.returncode


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LANG": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0"}])
def test_output_is_utf8_whatever_the_locale(place, locale):
    (place / "a.md").write_text("夏季休暇は5日です。\n", encoding="utf-8")
    assert finish(start(place, "ingest", "a.md", **locale))[2] == 0
    out, err, status = finish(start(place, "ask", "-", **locale), "夏季休暇は何日ですか？")
    assert "夏季休暇は5日です。" in out
    assert "Traceback" not in err
    assert status == 0


def test_nobody_reading_on_is_no_error(place):
    (place / "many").mkdir()
    for n in range(300):
        (place / f"many/{n:03}.txt").write_text(f"Note number {n}.\n", encoding="utf-8")
    assert finish(start(place, "ingest", "many"))[2] == 0
    with start(place, "documents", "list") as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 141)


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
def test_ctrl_c_in_the_chat_is_130_without_a_traceback(place):
    process = start(place, "chat")
    assert b"--" not in process.stderr.readline()
    process.stdin.write("401 是什麼意思？\n".encode())
    process.stdin.flush()
    process.stdout.readline()
    for _ in range(3):  # one that comes while the turn is still told ends the turn, and the next one the chat
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
            break
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in out + err


def test_two_turns_of_one_session_at_once_wait_for_each_other(place):
    session = json.loads(finish(start(place, "ask", "--json", "first"))[0])["session_id"]
    running = [start(place, "ask", "--json", "--session", session, f"question {n}") for n in range(4)]
    told = [json.loads(finish(process)[0]) for process in running]
    assert sorted(turn["seq"] for turn in told) == [2, 3, 4, 5]


@pytest.mark.skipif(os.name == "nt", reason="no shell to close it with")
@pytest.mark.parametrize("arguments", ["reconstruct", "chat", "ask -", "ingest -"])
def test_closed_standard_input_is_one_line(place, arguments):
    words = " ".join(f"'{word}'" for word in ANAPHOR)
    done = subprocess.run(
        ["sh", "-c", f"{words} {arguments} <&-"],
        cwd=place,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "standard input is closed" in done.stdout + done.stderr
    assert done.stderr.count("\n") <= 1
    assert "unexpected" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_a_chat_whose_store_is_gone_does_not_say_it_is_kept(place):
    process = start(place, "chat", "--new-session", "a")
    process.stderr.readline()
    process.stdin.write("401 是什麼意思？\n".encode())
    process.stdin.flush()
    process.stdout.readline()
    for left in place.glob("anaphor.db*"):
        left.unlink()
    _, err = process.communicate("那 403 呢？\n".encode(), timeout=60)
    told = [line for line in err.decode().splitlines() if line.startswith("anaphor:")]
    assert len(told) == 1
    assert "the store anaphor.db is gone" in told[0]
    assert b"is kept" not in err
    assert process.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_leaving_a_chat_whose_store_is_gone_does_not_say_it_is_kept(place):
    process = start(place, "chat", "--new-session", "a")
    process.stderr.readline()
    process.stdin.write("401 是什麼意思？\n".encode())
    process.stdin.flush()
    process.stdout.readline()
    (place / "anaphor.db").unlink()
    _, err = process.communicate(timeout=60)
    assert "the store anaphor.db is gone" in err.decode().splitlines()[-1]
    assert process.returncode == 1
