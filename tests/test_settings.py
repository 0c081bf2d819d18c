import pickle

import pytest

from anaphor.errors import BadSettings
from anaphor.setting_keys import Secret
from anaphor.settings import Settings, read, unheard


@pytest.fixture
def settings(tmp_path):
    """Reads settings from nothing but what the test gives."""

    def given(explicit=None, *, env=None, toml=None):
        if toml is not None:
            (tmp_path / "anaphor.toml").write_text(toml, encoding="utf-8")
        return read(explicit, environment=env or {}, directory=tmp_path)

    return given


def test_with_nothing_given_the_defaults_hold(settings):
    assert settings() == Settings()
    assert settings().store == "anaphor.db"
    assert not settings().writer.name


def test_argument_beats_environment_beats_file_beats_default(settings):
    toml = 'store = "file.db"\nuser = "of the file"\nlease = 30\n'
    env = {"ANAPHOR_STORE": "env.db", "ANAPHOR_USER": "of the environment"}
    found = settings({"store": "argument.db"}, env=env, toml=toml)
    assert (found.store, found.user, found.lease, found.wait) == ("argument.db", "of the environment", 30, 10)


def test_none_as_an_argument_means_not_given(settings):
    assert settings({"store": None}, env={"ANAPHOR_STORE": "env.db"}).store == "env.db"


def test_a_table_and_a_flat_key_are_the_same(settings):
    assert settings(toml="[window]\nturns = 6\n[budget]\nevidence = 900\n").window.turns == 6
    assert settings(toml="window_turns = 7\n").window.turns == 7


@pytest.mark.parametrize("locale", ["zh_TW.UTF-8", "zh-TW", "zh-Hant", "zh_HK"])
def test_a_locale_is_understood_in_every_spelling(settings, locale):
    assert settings({"locale": locale}).locale == "zh-Hant"


def test_the_terminal_tells_the_locale_only_where_it_tells_something(settings):
    assert settings(env={"LANG": "ja_JP.UTF-8"}).locale == "ja"
    assert settings(env={"LANG": "zh_CN.GB18030"}).locale == "zh-Hans"
    assert settings(env={"LANG": "en_US.UTF-8"}).locale is None
    assert settings(env={"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}).locale is None


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("windw_turns = 4", "windw_turns"),
        ("[window]\nturn = 4", "window.turn"),
        ('[window]\nturns = "many"', "window.turns"),
        ("lease = -1", "lease"),
        ("lease = true", "lease"),
        ("rewrite_below = 1.5", "rewrite_below"),
        ('embedder = "best"', "embedder"),
        ('base_url = "localhost:11434"', "base_url"),
        ('locale = "klingon"', "locale"),
        ('store = ""', "store"),
        ("budget_total = 400", "budget_total"),
        ("collections = []", "collections"),
        ("store = ", "not TOML"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_file(settings, toml, told):
    with pytest.raises(BadSettings) as error:
        settings(toml=toml)
    message = str(error.value)
    assert told in message
    assert "anaphor.toml" in message or "budget" in message
    assert "\n" not in message


def test_a_misspelt_key_is_told_with_the_nearest_one(settings):
    with pytest.raises(BadSettings, match="did you mean 'store'"):
        settings({"stoer": "x.db"})
    with pytest.raises(BadSettings, match="did you mean 'window_turns'"):
        settings(toml="window_turn = 3")


def test_a_bad_value_in_the_environment_names_the_variable(settings):
    with pytest.raises(BadSettings, match="ANAPHOR_LEASE must be a number of 1 or more, not 'soon'"):
        settings(env={"ANAPHOR_LEASE": "soon"})


def test_misspelt_variables_are_told_but_are_no_error(settings):
    env = {"ANAPHOR_STROE": "x", "ANAPHOR_STORE": "y", "ANAPHOR_DEBUG": "1", "PATH": "/"}
    assert settings(env=env).store == "y"
    assert unheard(env) == ["ANAPHOR_STROE sets nothing; did you mean 'ANAPHOR_STORE'?"]


def test_a_named_file_must_exist(settings, tmp_path):
    with pytest.raises(BadSettings, match=r"no\.toml, which does not exist"):
        settings(env={"ANAPHOR_CONFIG": str(tmp_path / "no.toml")})


def test_a_named_file_is_read_from_anywhere(settings, tmp_path):
    (tmp_path / "other.toml").write_text('user = "美玲"', encoding="utf-8-sig")
    assert settings(env={"ANAPHOR_CONFIG": str(tmp_path / "other.toml")}).user == "美玲"


def test_a_file_in_another_encoding_is_one_clear_line(settings, tmp_path):
    (tmp_path / "anaphor.toml").write_bytes('user = "美玲"'.encode("big5"))
    with pytest.raises(BadSettings, match="is not UTF-8"):
        settings()


# ── models ──


def test_an_openai_key_alone_adds_a_model(settings):
    found = settings(env={"OPENAI_API_KEY": "sk-1"})
    assert found.rewriter.name == found.writer.name == "gpt-4o-mini"
    assert found.writer.base_url == "https://api.openai.com/v1"
    assert found.writer.api_key.reveal() == "sk-1"


def test_a_model_can_be_turned_off_although_there_is_a_key(settings):
    assert not settings(env={"OPENAI_API_KEY": "sk-1", "ANAPHOR_MODEL": "none"}).writer.name


def test_rewriting_and_answering_are_chosen_apart(settings):
    toml = (
        '[rewrite]\nmodel = "small"\nbase_url = "http://localhost:11434/v1"\ntimeout = 2\n[answer]\nmodel = "large"\n'
    )
    found = settings(env={"OPENAI_API_KEY": "sk-1"}, toml=toml)
    assert (found.rewriter.name, found.rewriter.base_url, found.rewriter.timeout) == (
        "small",
        "http://localhost:11434/v1",
        2,
    )
    assert (found.writer.name, found.writer.base_url) == ("large", "https://api.openai.com/v1")


def test_only_the_named_one_is_there_when_one_is_named(settings):
    found = settings(env={"OPENAI_BASE_URL": "http://localhost:11434/v1", "ANAPHOR_REWRITE_MODEL": "qwen"})
    assert found.rewriter.name == "qwen"
    assert found.writer.name == ""


def test_a_server_without_a_model_is_a_clear_error(settings):
    with pytest.raises(BadSettings, match=r"OPENAI_BASE_URL names a server .* set ANAPHOR_MODEL"):
        settings(env={"OPENAI_BASE_URL": "http://localhost:11434/v1/"})


def test_a_model_without_key_and_address_is_a_clear_error(settings):
    with pytest.raises(BadSettings, match="'gpt-9' has neither a key nor an address"):
        settings(env={"ANAPHOR_MODEL": "gpt-9"})


def test_openais_key_never_goes_to_an_address_that_only_a_file_named(settings):
    toml = 'base_url = "https://collector.example/v1"\nmodel = "x"\n'
    assert not settings(env={"OPENAI_API_KEY": "sk-1"}, toml=toml).writer.api_key
    assert settings(env={"ANAPHOR_API_KEY": "ours"}, toml=toml).writer.api_key.reveal() == "ours"
    with_key = toml + 'api_key = "of the file"\n'
    assert settings(env={"OPENAI_API_KEY": "sk-1"}, toml=with_key).writer.api_key.reveal() == "of the file"


def test_openais_two_variables_go_together(settings):
    env = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "https://api.deepseek.example/v1", "ANAPHOR_MODEL": "chat"}
    found = settings(env=env, toml='base_url = "http://other.example/v1"\napi_key = "of the file"\n')
    assert (found.writer.base_url, found.writer.api_key.reveal()) == ("https://api.deepseek.example/v1", "sk-1")


def test_an_embedding_server_needs_a_model_name(settings):
    env = {"OPENAI_BASE_URL": "http://localhost:11434/v1", "ANAPHOR_MODEL": "qwen", "ANAPHOR_EMBEDDER": "openai"}
    with pytest.raises(BadSettings, match="ANAPHOR_EMBED_MODEL"):
        settings(env=env)
    assert settings(env=env | {"ANAPHOR_EMBED_MODEL": "bge-m3"}).embedding.name == "bge-m3"


# ── secrets ──


def test_a_secret_is_never_printed(settings):
    found = settings(env={"OPENAI_API_KEY": "sk-very-secret"})
    assert "sk-very-secret" not in f"{found!r} {found} {found.writer.api_key} {found.writer.api_key!r}"
    with pytest.raises(TypeError):
        pickle.dumps(found.writer.api_key)


def test_a_malformed_secret_is_not_printed_either(settings):
    with pytest.raises(BadSettings) as error:
        settings(toml="api_key = 12345678")
    assert "12345678" not in str(error.value)


def test_two_secrets_are_equal_by_what_they_hold():
    assert Secret("a") == Secret("a") != Secret("b")
    assert len({Secret("a"), Secret("a")}) == 1


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"ANAPHOR_WINDOW_TURNS": "9" * 22}, "ANAPHOR_WINDOW_TURNS must be a whole number from 0 to 1000000000"),
        ({"ANAPHOR_HITS": "9" * 5000}, "ANAPHOR_HITS must be a whole number from 1 to 1000000000"),
        ({"ANAPHOR_LEASE": "inf"}, "ANAPHOR_LEASE must be a number of 1 or more, not 'inf'"),
        ({"ANAPHOR_WAIT": "nan"}, "ANAPHOR_WAIT must be a number of 0 or more, not 'nan'"),
        ({"ANAPHOR_ANSWER_TIMEOUT": "-1"}, "ANAPHOR_ANSWER_TIMEOUT must be a number of 0.1 or more"),
        (
            {"ANAPHOR_BASE_URL": "http://[::1"},
            "ANAPHOR_BASE_URL must be an address such as http://localhost:11434/v1, not",
        ),
        ({"ANAPHOR_BASE_URL": "http://host:99999999/v1"}, "ANAPHOR_BASE_URL must be an address such as"),
        ({"ANAPHOR_BASE_URL": "http://mei@"}, "ANAPHOR_BASE_URL must be an address that begins with"),
    ],
)
def test_what_is_out_of_bounds_is_told_with_the_bounds(settings, env, told):
    with pytest.raises(BadSettings) as error:
        settings(env=env)
    assert str(error.value).startswith(told)
    assert len(str(error.value)) < 250


def test_whole_numbers_too_large_for_a_fraction_are_refused_in_one_line(settings):
    with pytest.raises(BadSettings, match="lease must be a number of 1 or more"):
        settings({"lease": 10**5000})
    with pytest.raises(BadSettings, match="not TOML"):
        settings(toml="lease = " + "9" * 5000)


@pytest.mark.parametrize("toml", ["store = " + "[" * 50_000 + "]" * 50_000, ".".join(["a"] * 3_000) + " = 1"])
def test_a_file_nested_deeply_is_one_line(settings, toml):
    with pytest.raises(BadSettings, match=r"anaphor\.toml") as error:
        settings(toml=toml)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("key", ["store", "tenant", "user", "model"])
def test_no_text_holds_a_nul(settings, key):
    with pytest.raises(BadSettings, match=f"{key} must be a text without the character NUL"):
        settings({key: "a\0b"})
    with pytest.raises(BadSettings, match=f"anaphor.toml: {key} must be a text without the character NUL"):
        settings(toml=f'{key} = "a\\u0000b"')


@pytest.mark.parametrize(
    "url", ["http://mei:s3cret@host:1/v1", "https://s3cret@host/v1?key=s3cret", "http://host/v1?a=s3cret"]
)
def test_an_address_is_shown_without_what_is_secret_in_it(settings, url):
    found = settings(env={"ANAPHOR_BASE_URL": url, "ANAPHOR_MODEL": "m"})
    assert found.writer.base_url == url, "it is sent as it was given"
    assert "s3cret" not in found.writer.address + repr(found)
    assert "••••" in found.writer.address
    with pytest.raises(BadSettings) as error:
        settings(env={"ANAPHOR_BASE_URL": url})
    assert "host" in str(error.value)
    assert "s3cret" not in str(error.value)


@pytest.mark.parametrize("url", ["ftp://mei:s3cret@host", "http://mei:s3cret@[::1", "mei:s3cret@host/v1"])
def test_an_address_that_cannot_be_used_keeps_its_secrets_too(settings, url):
    with pytest.raises(BadSettings) as error:
        settings(env={"ANAPHOR_BASE_URL": url})
    assert "s3cret" not in str(error.value)


def test_gemini_has_its_own_address_and_key_and_never_openais():
    env = {"OPENAI_API_KEY": "sk-openai", "OPENAI_BASE_URL": "http://m.test/v1", "GEMINI_API_KEY": "AIza"}
    found = read({"embedder": "gemini", "model": "none"}, environment=env).embedding
    assert (found.name, found.api_key.reveal()) == ("gemini-embedding-001", "AIza")
    assert found.base_url.startswith("https://generativelanguage.googleapis.com/")
    del env["GEMINI_API_KEY"]
    with pytest.raises(BadSettings, match="GEMINI_API_KEY"):
        read({"embedder": "gemini", "model": "none"}, environment=env)
    own = {"embedder": "gemini", "model": "none", "embed_api_key": "k", "embed_base_url": "http://g.test/v1beta"}
    assert read(own, environment=env).embedding.base_url == "http://g.test/v1beta"


def test_googles_key_is_not_sent_where_only_a_file_points(tmp_path):
    (tmp_path / "anaphor.toml").write_text('embedder = "gemini"\nembed_base_url = "http://evil.test"\n', "utf-8")
    with pytest.raises(BadSettings, match="needs a key"):
        read(environment={"GEMINI_API_KEY": "AIza"}, directory=tmp_path)


def test_fastembed_takes_a_name_or_a_folder_and_no_key():
    assert "multilingual" in read({"embedder": "fastembed"}, environment={}).embedding.name
    assert read({"embedder": "fastembed", "embed_model": "models/tiny"}, environment={}).embedding.name == "models/tiny"


@pytest.mark.parametrize("key", ["tenant", "user", "collections"])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\nb", "line break"),
        ("林\u2028美", "line break"),
        ("\u202eいえ", "control character"),
        ("x" * 201, "201 characters"),
        ("caf\udce9", "no UTF-8"),
    ],
)
def test_whose_data_it_is_is_a_name(key, name, why):
    with pytest.raises(BadSettings, match=rf"argument {key} must be (a|one or more) names?.*{why}"):
        read({key: name}, environment={})


@pytest.mark.parametrize("name", ["mei@example.org", "林 美玲", "山田・太郎", "a/b:c"])
def test_a_name_may_be_in_any_script(name):
    told = read({"tenant": name, "user": name, "collections": name}, environment={})
    assert (told.tenant, told.user, told.collections) == (name, name, (name,))
