"""Draws the third round of documents whose form and mode are labeled by hand: which they are follows from ids, never from how they are profiled.

Run: PAGERAG_EVAL=<folder of evaluation data> python -m benchmarks.fit_profile_sample

The rule, fixed before any of them was read:

- `long`, documents of at least 300 words as users have them: of each set the first 12 by digest of set and id (a set with fewer gives all), and every
  file of `messy_files` that is prose of at least 300 words. `short`, documents of 40 to 299 words: of each set of passages the first 8.
- Left out: documents labeled in an earlier round, documents with the title of one that was, further pages or parts of the same source, books whose
  whole is labeled, texts in other languages than English or in several, files of tables, questions and summaries of benchmarks.
- Dropped and not replaced: a document that shares more than a tenth of its runs of eight words with one labeled or drawn before.
- All that remain are labeled. The digest of the id alone splits the long ones into a half to tune on and a half that is held out; all short ones are
  held out, since hundreds of short ones were labeled before.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

from benchmarks.fit_profile_weights import LABELS, Row, load
from pagerag_pipeline.schema.documents import ParsedDocument

ROUND = "3"
LONG_SETS = ("2wiki", "bamboo", "clapnq", "cranfield", "hotpotqa", "litbank", "mtrag_un", "pdnc/texts", "squality", "xquad")
SHORT_SETS = ("2wiki", "clapnq", "cranfield", "hotpotqa", "mtrag_un", "musique")
TABLES = {"litbank": "coref.jsonl", "xquad": "en_docs.jsonl"}
FILES = (
    "example-10k-1p.html handbook-1p.docx multi-column-2p.pdf wikipedia_page.html pdf_finance/AMCOR_2022_8K_dated-2022-07-01.pdf "
    "pdf_finance/AMCOR_2023Q4_EARNINGS.pdf pdf_finance/BESTBUY_2023_10K.pdf pdf_finance/FOOTLOCKER_2022_8K_dated-2022-05-20.pdf "
    "pdf_finance/ULTABEAUTY_2023Q4_EARNINGS.pdf pdf_papers/codenet.pdf pdf_papers/roberta.pdf web_pages/crag_05_1.html"
).split()
LONG_WORDS, LEAST_WORDS = 300, 40
LONG_EACH, SHORT_EACH = 12, 8
RUN, MOST_SHARED = 8, 0.1
_PAGE = re.compile(r"^mtragun-[^-]+")


def main() -> None:
    labeled = [row for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines()) if row.get("round") != ROUND]
    read: dict[str, dict[str, ParsedDocument]] = {}
    seen = set().union(*(runs(load(row, read).text) for row in labeled))
    for row in draw(labeled):
        found = runs(load(row, read).text)
        if len(found & seen) <= MOST_SHARED * len(found):
            print(json.dumps(row))
        seen |= found


def draw(labeled: list[Row]) -> list[Row]:
    """Set, id and half of the drawn documents, without a look at what their texts share."""
    known = {name for row in labeled for name in (row["id"], source(row["id"]))} | titles(labeled)
    long = [row for name in LONG_SETS for row in first(name, LONG_EACH, known, (LONG_WORDS, 10**9))]
    long += [{"set": f"messy_files/{path.parent}".removesuffix("/."), "id": path.name} for path in map(Path, FILES)]
    short = [row for name in SHORT_SETS for row in first(name, SHORT_EACH, known, (LEAST_WORDS, LONG_WORDS - 1))]
    return [row | {"half": half(row["id"])} for row in long] + [row | {"half": "short"} for row in short]


def first(name: str, most: int, known: set[str], words: tuple[int, int]) -> list[Row]:
    """The first documents of a set by digest, of so many words, one of each source, none known by id, source or title."""
    fitting = [
        row
        for row in documents(name)
        if words[0] <= len(row["text"].split()) <= words[1] and not known & {row["id"], source(row["id"]), key(row["title"])}
    ]
    fitting.sort(key=lambda row: sha1(f"{ROUND} {name}/{row['id']}".encode()).hexdigest())
    one = {source(row["id"]): row for row in reversed(fitting)}
    kept = [row for row in fitting if one[source(row["id"])] is row]
    return [{"set": name, "id": row["id"]} for row in kept[:most]]


def documents(name: str) -> Iterator[Row]:
    """Id, title and text of the documents of a set."""
    folder = Path(os.environ["PAGERAG_EVAL"]) / name
    if name == "pdnc/texts":
        yield from (
            {"id": path.name, "title": path.stem, "text": path.read_text(encoding="utf-8")} for path in sorted(folder.glob("*.txt"))
        )
        return
    for line in (folder / TABLES.get(name, "docs.jsonl")).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield {"id": row["doc_id"], "title": row["title"], "text": row["text"]}


def titles(labeled: list[Row]) -> set[str]:
    """Keys of the titles of labeled documents and of the books, without those that several documents bear, which are no titles."""
    chosen = {row["id"] for row in labeled}
    names = {row["set"] for row in labeled} & {*LONG_SETS, *SHORT_SETS, "squad2", "loogle", "nq_long", "quality", "podcast"}
    rows = [row for name in sorted(names) for row in documents(name)]
    times = Counter(key(row["title"]) for row in rows)
    books = (Path(os.environ["PAGERAG_EVAL"]) / "books" / "books.jsonl").read_text(encoding="utf-8").splitlines()
    own = {key(row["title"]) for row in rows if row["id"] in chosen and times[key(row["title"])] <= 4}
    return own | {key(json.loads(line)["title"]) for line in books}


def key(title: str) -> str:
    return re.sub(r"[\W_]+", "", title.casefold())


def source(name: str) -> str:
    """What documents of one source have in common in their ids."""
    page = _PAGE.match(name)
    return page.group() if page else name


def half(name: str) -> str:
    return "held" if int(sha1(name.encode()).hexdigest(), 16) % 2 else "tune"


def runs(text: str) -> set[int]:
    words = re.findall(r"\w+", text.casefold())
    return {hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1)}


if __name__ == "__main__":
    main()
