"""Bytes of any common encoding become the same clean text, or are refused."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.decode import NotText, clean_text, decode_text

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane.\n"
FRENCH = "Le visa requis pour entrer en France dépend à la fois de la durée du séjour envisagé et du pays d'où l'on vient.\n"
RUSSIAN = "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.\n" * 3
JAPANESE = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。\n" * 3
CHINESE = "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。\n" * 3
SIMPLE_CHINESE = "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n" * 3


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"), (codecs.BOM_UTF8, "utf-8"),
        (b"", "utf-16-le"), (codecs.BOM_UTF16_LE, "utf-16-le"), (b"", "utf-16-be"), (codecs.BOM_UTF16_BE, "utf-16-be"),
        (b"", "utf-32-le"), (codecs.BOM_UTF32_LE, "utf-32-le"), (b"", "utf-32-be"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", [F1, FRENCH, CHINESE, RUSSIAN, "A \U0001f980 crossed — 안녕.\n" * 5])
def test_unicode_is_read_with_and_without_a_mark(mark: bytes, encoding: str, text: str) -> None:
    decoded = decode_text(mark + text.encode(encoding))
    assert decoded.text == text
    assert decoded.notes == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(FRENCH, "latin-1"), ("A “quoted” word — and €5.\n", "cp1252"), (RUSSIAN, "koi8_r"), (RUSSIAN, "cp1251"), (JAPANESE, "shift_jis"), (CHINESE, "big5"),
     (SIMPLE_CHINESE, "gb18030")],
)  # fmt: skip
def test_older_encodings_are_found_and_the_guess_is_noted(text: str, encoding: str) -> None:
    decoded = decode_text(text.encode(encoding))
    assert decoded.text == text
    assert decoded.notes == (f"read as {decoded.encoding}: no encoding is declared",)


def test_a_declared_charset_is_believed() -> None:
    data = '<?xml version="1.0" encoding="koi8-r"?><p>мир</p>'.encode("koi8_r")
    assert "мир" in decode_text(data).text
    assert decode_text(data).notes == ()
    assert "мир" in decode_text('<html><head><meta charset=windows-1251></head><p>мир</p>'.encode("cp1251")).text


def test_line_ends_marks_nuls_and_lone_surrogates_are_cleaned_and_counted() -> None:
    assert clean_text("\ufeffa\r\nb\rc\n") == ("a\nb\nc\n", ())
    assert clean_text("a\0b\0") == ("ab", ("2 NUL characters removed",))
    assert clean_text("x\udc9ay") == ("x\ufffdy", ("1 lone surrogate replaced",))


def test_an_encoded_lone_surrogate_leaves_the_rest_utf8() -> None:
    decoded = decode_text(b"Caf\xc3\xa9 \xed\xb2\x9a mark.")
    assert (decoded.text, decoded.encoding, decoded.notes) == ("Caf\xe9 \ufffd mark.", "utf-8", ("1 lone surrogate replaced",))


def test_a_cut_off_utf8_file_keeps_its_encoding() -> None:
    decoded = decode_text(("é" * 50).encode()[:-1])
    assert decoded.text == "é" * 49 + "\ufffd"
    assert decoded.notes == ("1 byte sequence that is not utf-8 replaced",)


def test_binary_data_is_refused() -> None:
    with pytest.raises(NotText):
        decode_text(bytes(range(32)) * 40)


@given(st.text(), st.sampled_from(["utf-8", "utf-8-sig"]))
def test_any_utf8_text_comes_back_but_for_line_ends_and_nuls(text: str, encoding: str) -> None:
    text = text + " the end of it"
    expected = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    try:
        assert decode_text(text.encode(encoding)).text == expected
    except NotText:
        assert sum(c < " " and c not in "\n\r\t\v\f" for c in text) > 8


@given(st.binary())
def test_no_bytes_break_it(data: bytes) -> None:
    try:
        text = decode_text(data).text
    except NotText:
        return
    assert "\0" not in text and "\r" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"Mara\0Quill\0 founded\0 Oddworks in 1902.\0", 4),
        (b"name\0year\0place\n" + b"Mara Quill\x001902\0Low Farm\n" * 20, 42),
        (b"Mara Quill founded Tinworks.\0" * 30, 30),
        (b"abc\0" * 40, 40),
        ("Café \0Quill".encode() * 9, 9),
        (b"x" + b"\0" * 9 + F1.encode(), 9),
    ],
)
def test_zero_bytes_between_one_byte_characters_are_dirt(data: bytes, count: int) -> None:
    decoded = decode_text(data)
    assert (decoded.text, decoded.encoding) == (data.replace(b"\0", b"").decode(), "utf-8")
    assert decoded.notes == (f"{count} NUL character{'s' * (count > 1)} removed",)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize(
    "text",
    ["a b\n", "Łódź, 1901: żółw.\n", "मारा क्विल ने टिनवर्क्स की स्थापना की 1901\n", "さくらがさいた。はるがきた 1901\n", "你好\n", "Μάρα 1901\n", "สวัสดีครับ 1901\n"],
)
def test_zero_bytes_of_wide_characters_are_not(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding)).text == text
