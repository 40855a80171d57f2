"""How the check of a model's claims judges claims that people wrote: sentences of reference answers, held against passages that say them and others.

A sentence of a reference answer is a right claim when its own evidence is cited, and a wrong one when another question's is, or when a number in it
was changed. References are not perfect: a few say what their evidence does not.
"""

import re
from collections.abc import Sequence
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.support import Support, find_support
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.settings import ExtractSettings
from pagerag_pipeline.settings_asking import AnswerSettings

LEAST_WORDS = 4
"""Shorter pieces of a reference answer claim nothing by themselves."""
RULES = load_tagger(ExtractSettings(tagger="rules"))


def texts(name: str) -> dict[str, tuple[str, str]]:
    """Title and text by document of a set that keeps its documents in one file, or of the text files of the bundled corpus."""
    if name == "bundled":
        folder = corpora.ROOT / "data" / "corpus"
        files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".txt", ".md")]
        return {path.relative_to(folder).as_posix(): ("", path.read_text(encoding="utf-8")) for path in files}
    return {one["doc_id"]: (one.get("title") or "", one["text"]) for one in corpora.documents(name)}


def claims(question: dict[str, Any]) -> list[str]:
    """Sentences of the first reference answer; a short answer with its question, for alone it claims nothing."""
    answer = question["answers"][0]
    sentences = [answer[span.start : span.end] for span in RULES.tag([answer], "en")[0].sentences]
    return [one for one in sentences if len(one.split()) >= LEAST_WORDS] or [f"{question['question']} {answer}"]


def items(question: dict[str, Any], documents: dict[str, tuple[str, str]]) -> list[Evidence]:
    """The documents of a question's evidence as passages."""
    named = [name for name in question.get("evidence", []) if name in documents] or [name for name in question.get("doc_ids") or [] if name in documents]
    return [
        Evidence("passage", documents[name][1], 1.0, (SourceSpan(name, name, 0, len(documents[name][1]), documents[name][1]),), 0, f"E{place}", context=documents[name][0])
        for place, name in enumerate(named, start=1)
    ]


def judge(claim: str, question: str, cited: Sequence[Evidence], *, strict: bool = False) -> Support:
    """What the check says of one claim."""
    return find_support(claim, question, cited, evidence_sentences(cited, RULES), settings=(AnswerSettings(), strict))


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    parser.add_argument("--questions", type=int, default=0, help="how many questions (default: all)")
    given = parser.parse_args()
    documents = texts(given.data)
    asked = [one for one in corpora.questions(given.data) if one.get("answerable", True) and one["answers"] and items(one, documents)]
    asked = asked[: given.questions or None]
    counts = {name: [0, 0] for name in ("own evidence", "own evidence, strict gate", "other evidence", "number changed")}

    def count(name: str, support: Support) -> None:
        counts[name][0] += not support.why
        counts[name][1] += 1

    for place, one in enumerate(asked):
        own, other = items(one, documents), items(asked[(place + len(asked) // 2) % len(asked)], documents)
        for claim in claims(one):
            count("own evidence", judge(claim, one["question"], own))
            count("own evidence, strict gate", judge(claim, one["question"], own, strict=True))
            if not {item.spans[0].document for item in own} & {item.spans[0].document for item in other}:
                count("other evidence", judge(claim, one["question"], other))
            if re.search(r"\d", claim):
                count("number changed", judge(re.sub(r"\d+", lambda found: str(int(found.group()) + 17), claim), one["question"], own))
    shown = {name: {"kept": kept / every if every else 0.0, "of": every} for name, (kept, every) in counts.items()}
    figures.show("support", data=given.data, n=len(asked), figures=shown)


if __name__ == "__main__":
    main()
