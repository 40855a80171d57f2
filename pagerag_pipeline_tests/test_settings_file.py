"""Settings as people write them: read whole, and refused in one line that names key, value, what is allowed and where."""

import dataclasses
import re
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest

from pagerag_pipeline.ranges import Range
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import KEY_VARIABLES, SettingsError, load_settings, secret_key

SLICES = {slice.name: getattr(Settings(), slice.name) for slice in dataclasses.fields(Settings)}
FIELDS = [(name, one.name, one.type, getattr(values, one.name)) for name, values in SLICES.items() for one in dataclasses.fields(values)]
NUMBERS = [(name, key, kind) for name, key, kind, value in FIELDS if type(value) in (int, float)]


def loaded(folder: Path, toml: str) -> Settings:
    (folder / "pagerag.toml").write_text(toml, encoding="utf-8")
    return load_settings(folder)


def refused(folder: Path, toml: str) -> str:
    with pytest.raises(SettingsError) as told:
        loaded(folder, toml)
    assert len(str(told.value).splitlines()) == 1 and len(str(told.value)) < 400
    return str(told.value)


def ranges(kind: Any) -> list[Range]:
    return [one for one in get_args(kind)[1:] if isinstance(one, Range)] if get_origin(kind) is Annotated else []


def test_every_number_has_one_range_and_every_default_is_allowed(tmp_path: Path) -> None:
    assert [f"{name}.{key}" for name, key, kind in NUMBERS if len(ranges(kind)) != 1] == []
    written = "\n".join(
        f"[{name}]\n" + "\n".join(f"{one.name} = {toml(getattr(values, one.name))}" for one in dataclasses.fields(values)) for name, values in SLICES.items()
    )
    assert loaded(tmp_path, written) == Settings()


def toml(value: Any) -> str:
    if isinstance(value, tuple):
        return str(list(value))
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


@pytest.mark.parametrize(("name", "key", "kind"), NUMBERS, ids=[f"{name}.{key}" for name, key, _ in NUMBERS])
def test_a_number_outside_its_range_is_refused_by_name_value_range_and_file(tmp_path: Path, name: str, key: str, kind: Any) -> None:
    (allowed,) = ranges(kind)
    beyond = [str(allowed.least - 1), str(allowed.most + 1), "-9223372036854775808", "1" * 5000]
    for value in [*beyond, "nan", "inf", "-inf"] if get_args(kind)[0] is float else beyond:
        told = refused(tmp_path, f"[{name}]\n{key} = {value}\n")
        if value == "1" * 5000:
            continue
        assert told.startswith(f"{tmp_path / 'pagerag.toml'}: {name}.{key} must lie in {allowed}, not be ")
    for value in ("true", '"7"', "[1]", *(["0.5"] if get_args(kind)[0] is int else [])):
        assert f"{name}.{key} must be a" in refused(tmp_path, f"[{name}]\n{key} = {value}\n")


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("extract", "tagger", '"tagger"'),
        ("refresh", "backend", '"ray"'),
        ("embed", "model", '"nowhere"'),
        ("store", "duckdb_memory", '"much"'),
        ("store", "duckdb_memory", '"-4GB"'),
        ("store", "kuzu_max_bytes", "16_000_000_000"),
        ("govern", "hold_confidence", "0.0"),
        ("govern", "hold_confidence", "0.9"),
        ("cluster", "max_leaf", "41"),
        ("chunk", "fixed_overlap", "1200"),
        ("chunk", "passage_tokens", "254"),
        ("chunk", "chunk_min_tokens", "1201"),
        ("summarize", "group_size", "9"),
    ],
)
def test_a_value_that_no_range_can_refuse_is_refused_by_name_and_value(tmp_path: Path, table: str, key: str, value: str) -> None:
    told = refused(tmp_path, f"[{table}]\n{key} = {value}\n")
    assert key in told and value.strip('"').replace("_", "") in told


@pytest.mark.parametrize("cron", ["0 3 * * *", "*/15 * * * *", "0 0,12 1-15 */2 1-5", "59 23 31 12 7"])
def test_a_cron_of_five_fields_is_taken_and_dagster_takes_it_too(tmp_path: Path, cron: str) -> None:
    from dagster._utils.schedules import is_valid_cron_string

    assert is_valid_cron_string(loaded(tmp_path, f'[schedule]\ncron = "{cron}"\n').schedule.cron)


@pytest.mark.parametrize("cron", ["", "daily", "0 3 * *", "0 3 * * * *", "60 3 * * *", "0 24 * * *", "0 3 0 * *", "0 3 * 13 *", "0 3 * * 8", "0 5-3 * * *", "*/0 * * * *", "0 3 * * -1"])
def test_a_cron_that_would_break_the_schedule_is_refused_though_it_is_off(tmp_path: Path, cron: str) -> None:
    assert re.search(rf"schedule\.cron must be five fields of cron .*, not '{re.escape(cron)}'\.$", refused(tmp_path, f'[schedule]\ncron = "{cron}"\n'))


def test_a_variable_goes_before_the_file_and_is_held_to_the_same_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGERAG_RETRIEVE_POOL", "12")
    assert loaded(tmp_path, "[retrieve]\npool = 30\n").retrieve.pool == 12
    for value in ("0", "-3", "1" * 5000, "nan", "many", ""):
        monkeypatch.setenv("PAGERAG_RETRIEVE_POOL", value)
        assert "PAGERAG_RETRIEVE_POOL must" in refused(tmp_path, "")
    monkeypatch.delenv("PAGERAG_RETRIEVE_POOL")
    for value in ("nan", "inf", "1.5", "-0.1"):
        monkeypatch.setenv("PAGERAG_ANSWER_THRESHOLD", value)
        assert "PAGERAG_ANSWER_THRESHOLD must lie in 0.0 to 1.0" in refused(tmp_path, "")


def test_fields_that_do_not_agree_are_told_with_the_place_that_set_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = refused(tmp_path, "[chunk]\nchunk_tokens = 64\n")
    assert told.startswith(str(tmp_path)) and "environment" not in told
    (tmp_path / "pagerag.toml").unlink()
    monkeypatch.setenv("PAGERAG_CHUNK_CHUNK_TOKENS", "64")
    assert refused(tmp_path, "").startswith("the environment (PAGERAG_CHUNK_CHUNK_TOKENS): chunk.passage_tokens must be at most chunk_tokens")


def test_a_key_is_taken_without_the_space_around_it_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert secret_key(KEY_VARIABLES) == ""
    monkeypatch.setenv(KEY_VARIABLES[1], "sk-one\r\n")
    assert secret_key(KEY_VARIABLES) == "sk-one"
    for odd in ("sk-o\rne", "sk-\u00e9ne", "sk\tone"):
        monkeypatch.setenv(KEY_VARIABLES[0], odd)
        with pytest.raises(SettingsError) as caught:
            secret_key(KEY_VARIABLES)
        assert KEY_VARIABLES[0] in str(caught.value) and "sk" not in str(caught.value)


def test_what_no_section_or_field_knows_is_refused_with_what_is_known(tmp_path: Path) -> None:
    assert "unknown section [nonsense]" in refused(tmp_path, "[nonsense]\n")
    assert "unknown key chunk.size; known are chunk_tokens" in refused(tmp_path, "[chunk]\nsize = 3\n")
    assert "[chunk] must be a section" in refused(tmp_path, "chunk = 3\n")


def test_a_whole_number_is_taken_for_a_share(tmp_path: Path) -> None:
    assert loaded(tmp_path, "[answer]\nthreshold = 1\n").answer.threshold == 1.0


@pytest.mark.parametrize(
    ("variable", "told"),
    [
        ("PAGERAG_EMBED_BATCHSIZE", "did you mean PAGERAG_EMBED_BATCH_SIZE?"),
        ("PAGERAG_CORPUS_FODLER", "did you mean PAGERAG_CORPUS_FOLDER?"),
        ("PAGERAG_EXTRACT_ZZZ", "known keys are tagger, batch_size."),
        ("PAGERAG_EXTRACT_tagger", "did you mean PAGERAG_EXTRACT_TAGGER?"),
    ],
)
def test_a_variable_that_sets_nothing_is_refused_with_what_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, told: str
) -> None:
    monkeypatch.setenv(variable, "8")
    assert refused(tmp_path, "") == f"the environment: {variable} sets nothing: {told}"


def test_variables_of_others_with_our_prefix_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("PAGERAG_HOME", "PAGERAG_EVAL", "PAGERAG_TRACE", "PAGERAG_CHAT_API_KEY", "PAGERAG_CHATTER", "PAGERAG_EMBEDDINGS"):
        monkeypatch.setenv(variable, "x")
    assert loaded(tmp_path, "") == Settings()


CHAT = "[chat]\nbase_url = 'http://127.0.0.1:1/v1'\nmodel = 'm'\n"


def test_chat_is_off_until_a_server_and_a_model_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not loaded(tmp_path, "").chat.on
    assert "must both be set" in refused(tmp_path, "[chat]\nbase_url = 'http://127.0.0.1:1/v1'\n")
    assert "must both be set" in refused(tmp_path, "[chat]\nmodel = 'm'\n")
    chat = loaded(tmp_path, CHAT + "answer_model = 'large'\n").chat
    assert chat.on and (chat.model_of("answer"), chat.model_of("extract")) == ("large", "m")
    monkeypatch.setenv("PAGERAG_CHAT_BASE_URL", "https://chat.example.org/v1")
    monkeypatch.setenv("PAGERAG_CHAT_MODEL", "other")
    assert loaded(tmp_path, CHAT).chat.base_url == "https://chat.example.org/v1"
    assert loaded(tmp_path, "").chat.model == "other"


def test_a_key_in_a_file_or_an_address_is_refused_and_not_shown(tmp_path: Path) -> None:
    for toml_text in (CHAT + "api_key = 'sk-secret'\n", CHAT.replace("127.0.0.1", "me:sk-secret@127.0.0.1"), CHAT.replace("/v1", "/v1?key=sk-secret")):
        told = refused(tmp_path, toml_text)
        assert "environment" in told and "sk-secret" not in told
    for section in ("chat", "embed"):
        told = refused(tmp_path, f"[{section}]\nbase_url = 'sk-secret'\nmodel = 'm'\n")
        assert told.endswith(f"{section}.base_url must be like http://127.0.0.1:11434/v1, without user, password or query (a key belongs into the environment), not what is set (not shown here: it may hold a secret).")


def test_an_embeddings_server_needs_the_name_of_one_of_its_models(tmp_path: Path) -> None:
    for model in ("", "model = ''", "model = 'hash'"):
        told = refused(tmp_path, f"[embed]\nbase_url = 'http://127.0.0.1:1/v1'\n{model}\n")
        assert "embed.model must be" in told and "with embed.base_url, a model of that server, not" in told
    assert loaded(tmp_path, "[embed]\nbase_url = 'http://127.0.0.1:1/v1'\nmodel = 'm'\n").embed.model == "m"


def test_prices_are_tables_and_a_ceiling_in_dollars_needs_them(tmp_path: Path) -> None:
    chat = loaded(tmp_path, CHAT + "max_usd = 1\n[[chat.prices]]\nmodel = 'm'\ninput = 0.5\noutput = 2\n").chat
    price = chat.price_of("m")
    assert price is not None and (price.input, price.output, chat.price_of("other")) == (0.5, 2.0, None)
    assert "names m" in refused(tmp_path, CHAT + "max_usd = 1\n")
    assert "each model once" in refused(tmp_path, CHAT + "[[chat.prices]]\nmodel = 'm'\n[[chat.prices]]\nmodel = 'm'\n")
    assert "[[chat.prices]]" in refused(tmp_path, CHAT + "prices = 3\n")
    assert "unknown key chat.prices.cost" in refused(tmp_path, CHAT + "[[chat.prices]]\ncost = 1\n")
