"""From a passage to the section it stands in, and from there to the next larger."""

import pytest

import anaphor
from ingest import made

GUIDE = {
    "zh-Hant": ("手冊", "錯誤", "權杖", "權杖過期時回傳四零一。", "請重新登入。", "限流"),
    "zh-Hans": ("手册", "错误", "令牌", "令牌过期时返回四零一。", "请重新登录。", "限流"),
    "ja": ("手引き", "エラー", "トークン", "トークンが切れると四〇一です。", "もう一度ログインします。", "制限"),
    "en": ("Guide", "Errors", "Tokens", "An expired token gives 401.", "Sign in once more.", "Limits"),
}


@pytest.mark.parametrize("language", list(GUIDE))
def test_the_sections_around_a_passage_are_reached(tmp_path, language):
    title, errors, tokens, told, cure, limits = GUIDE[language]
    under = f"### {tokens}\n\n{told}\n\n```\n# {limits}\n```\n\n{cure}"
    text = f"# {title}\n\n## {errors}\n\nA.\n\n{under}\n\n## {limits}\n\nB.\n"
    (tmp_path / "guide.md").write_text(text, encoding="utf-8")
    with anaphor.open(tmp_path / "kb.db", embedder="none") as assistant:
        assistant.ingest(tmp_path / "guide.md", embed=False)
        passage = assistant.search(told).hits[0].passage
        found = assistant.sections(passage)
        assert [section.heading for section in found] == [tokens, errors, title, ""]
        assert found[0].text.startswith(f"### {tokens}")
        assert found[0].text.endswith(cure)
        assert "A." in found[1].text
        assert "B." not in found[1].text
        assert found[-1].text == text.strip()


@pytest.mark.parametrize("suffix", [".html", ".docx", ".epub", ".pptx", ".xlsx", ".pdf"])
def test_they_are_reached_in_every_format_that_has_them(tmp_path, suffix):
    content = made.content("ja", "m7x")
    (tmp_path / f"a{suffix}").write_bytes(made.MAKERS[suffix](content))
    with anaphor.open(tmp_path / "kb.db", embedder="none") as assistant:
        assistant.ingest(tmp_path / f"a{suffix}", embed=False)
        passage = assistant.search("m7x").hits[0].passage
        assert assistant.sections(passage)[0].heading == content.heading


def test_a_plain_text_is_one_section(tmp_path):
    (tmp_path / "a.txt").write_text("# no heading\n\nm7x\n", encoding="utf-8")
    with anaphor.open(tmp_path / "kb.db", embedder="none") as assistant:
        assistant.ingest(tmp_path / "a.txt", embed=False)
        assert [s.heading for s in assistant.sections(assistant.search("m7x").hits[0].passage)] == [""]
