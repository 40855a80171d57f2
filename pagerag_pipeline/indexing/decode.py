"""Bytes to text: finds the encoding of a file and cleans what no text should hold. Layout is the business of the formats."""

import codecs
import re
import unicodedata
from dataclasses import dataclass

SAMPLE_BYTES = 65_536
"""Guesses look at this much of the beginning; decoding itself is strict over the whole."""
IN_STEP = 0.7
"""UTF-16 that holds no byte of another script has zeros at this share of all even or all odd places, and this share of its zeros there."""
TELLING_BYTES = 24
"""Fewer bytes may look like Latin letters and be Chinese ones."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LEGACY = ("cp932", "euc_jp", "big5", "gb18030", "cp949", "koi8_r", "cp1251", "iso8859_5", "cp866", "cp1253", "cp1255", "cp1256")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{3,}")
_LETTER = re.compile(r"[^\W_]")
_COMMON = re.compile("[\\n -~\u3000-\u3002\uff0c]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)|<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)


class NotText(ValueError):
    """Bytes that are no text; the message says why."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A cleaned text, the encoding it was read in, and what was repaired."""

    text: str
    encoding: str
    notes: tuple[str, ...]


def decode_text(data: bytes) -> Decoded:
    """Cleaned text of a file's bytes. Order of trust: byte order mark, UTF-8, zero-byte pattern of UTF-16/32, declared charset, statistics, cp1252.

    Raises NotText for binary data.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    sample = data[:SAMPLE_BYTES]
    if not _has_stray_zeros(sample):
        wide = _wide_encoding(sample)
        if wide:
            return _decoded(data, wide)
        _refuse_binary(sample)
    try:
        # Lone surrogates that a careless program encoded do not make the rest another encoding.
        return _cleaned(data.decode("utf-8", "surrogatepass"), "utf-8", ())
    except UnicodeDecodeError:
        return _narrow(data)


def clean_text(text: str) -> tuple[str, tuple[str, ...]]:
    """A text with LF line ends and without byte order mark, NUL and lone surrogates, and counted notes on what was taken out."""
    notes = []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if nuls := text.count("\0"):
        text = text.replace("\0", "")
        notes.append(_counted(nuls, "NUL character", "removed"))
    text, surrogates = _SURROGATE.subn("\ufffd", text)
    if surrogates:
        notes.append(_counted(surrogates, "lone surrogate", "replaced"))
    return text, tuple(notes)


def says_something(text: str) -> bool:
    """Whether a text holds a letter, a number or a picture; white space, punctuation and rules alone are a blank page."""
    return bool(_LETTER.search(text)) or any(c != "\ufffd" and unicodedata.category(c) == "So" for c in set(text))


def _decoded(data: bytes, encoding: str, notes: tuple[str, ...] = ()) -> Decoded:
    try:
        return _cleaned(data.decode(encoding, "surrogatepass" if encoding.startswith("utf") else "strict"), encoding, notes)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        broken = max(1, text.count("\ufffd"))
        told = _counted(broken, f"byte sequence that is not {encoding}", "replaced", plural="byte sequences that are not " + encoding)
        return _cleaned(text, encoding, (*notes, told))


def _cleaned(text: str, encoding: str, notes: tuple[str, ...]) -> Decoded:
    text, more = clean_text(text)
    return Decoded(text, encoding, notes + more)


def _counted(number: int, what: str, act: str, *, plural: str = "") -> str:
    return f"{number} {what if number == 1 else plural or what + 's'} {act}"


def _has_stray_zeros(sample: bytes) -> bool:
    """Whether zero bytes are dirt or separators in a text of one-byte characters: without them it is one, and they do not stand as in UTF-16."""
    zeros = sample.count(0)
    if not zeros or zeros > len(sample) // 2:
        return False
    in_step = max(sample[::2].count(0), sample[1::2].count(0))
    rest = sample.replace(b"\0", b"")
    sparse = len(rest) >= TELLING_BYTES and 2 * in_step < IN_STEP * len(sample)
    one_byte = not _CONTROL.search(rest) and (_is_utf8(rest) or len(_HIGH.findall(rest)) < 0.1 * len(rest))
    return one_byte and (sparse or in_step < IN_STEP * zeros)


def _wide_encoding(sample: bytes) -> str:
    """UTF-32 or UTF-16 without a mark: by where zero bytes stand, and by which byte order gives common characters; empty when neither."""
    quarter = max(1, len(sample) // 4)
    zeros = [sample[i::4].count(0) / quarter for i in range(4)]
    if len(sample) % 4 == 0 and sample:
        if min(zeros[2:]) > 0.9 and zeros[0] < 0.1:
            return "utf-32-le"
        if min(zeros[:2]) > 0.9 and zeros[3] < 0.1:
            return "utf-32-be"
    if max(zeros) < 0.2 and not _is_control_heavy(sample) and _is_utf8(sample):
        return ""
    little, big = _commonness(sample, "utf-16-le"), _commonness(sample, "utf-16-be")
    if max(little, big) < 0.02 or max(little, big) < 5 * min(little, big):
        return ""
    return "utf-16-le" if little > big else "utf-16-be"


def _is_utf8(sample: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def _commonness(sample: bytes, encoding: str) -> float:
    """Share of characters that stand in nearly every text; 0 when many are unassigned or controls, which a wrong byte order gives."""
    text = sample[: len(sample) // 2 * 2].decode(encoding, "replace")
    odd = sum(1 for c in text if unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") and c not in "\n\r\t\f\v")
    return len(_COMMON.findall(text)) / len(text) if text and odd <= 0.02 * len(text) else 0.0


def _refuse_binary(sample: bytes) -> None:
    """NULs and control bytes are rare dirt in a text and the substance of anything else."""
    if _is_control_heavy(sample):
        raise NotText("binary data, not text")


def _is_control_heavy(sample: bytes) -> bool:
    controls = len(_CONTROL.findall(sample))
    return controls > 8 and controls > 0.02 * len(sample)


def _narrow(data: bytes) -> Decoded:
    """The text of bytes that are not valid UTF-8 and have no mark, with a note when its encoding had to be guessed."""
    declared = _declared(data[:4096])
    if declared and _decodes(data, declared):
        return _decoded(data, declared)
    if _mostly_utf8(data):
        return _decoded(data, "utf-8")
    guessed = _guessed_encoding(data)
    return _decoded(data, guessed, (f"read as {guessed}: no encoding is declared",))


def _guessed_encoding(data: bytes) -> str:
    sample = data[:SAMPLE_BYTES]
    high = sum(len(run) for run in re.findall(rb"[\x80-\xff]+", sample))
    in_runs = sum(len(run) for run in _HIGH_RUN.findall(sample))
    if in_runs > 0.25 * high or high > 0.3 * len(sample):
        guessed = _guess(sample)
        if guessed:
            return guessed
    return "cp1252" if _decodes(data, "cp1252") else "latin-1"


def _declared(head: bytes) -> str:
    found = _DECLARED.search(head)
    if not found:
        return ""
    try:
        return codecs.lookup((found.group(1) or found.group(2)).decode("ascii")).name
    except (LookupError, UnicodeDecodeError):
        return ""


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _mostly_utf8(data: bytes) -> bool:
    """Whether a few broken bytes stand among many sound multi-byte sequences (a cut-off or damaged UTF-8 file)."""
    text = data.decode("utf-8", "replace")
    sound = sum(1 for c in text if c > "\x7f" and c != "\ufffd")
    return sound >= 10 * text.count("\ufffd")


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # a slow import that few files need

    best = from_bytes(sample, cp_isolation=list(_LEGACY)).best()
    return best.encoding if best else ""
