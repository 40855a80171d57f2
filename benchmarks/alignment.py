"""Which names become one node, against gold ones: novels, excerpts of novels in English and French, and paragraphs of an encyclopedia.

A gold mention by name (`gold_names.py` says what counts as one) belongs to the node that its name, as it stands, means in its document; a name
that extraction never saw is a node of its own. `pairs`: of the pairs of distinct names of a document that share a node, how many mean one
entity (a name means the entity it stands for most often, or any of several that tie); the average is over documents with a merge. `b3`:
B-cubed over mentions, F1 of precision and recall, averaged over documents. `exact` is the same with each distinct name as its own node,
`shared_words` with names of one gold entity joined where they share a word: the most that strings can reach with gold knowledge. `wordless`
are pairs of names of one entity that share no word.

`pdnc`: the rules and their figures were fitted on the first four novels by name (`tuned`). The other three were held out at first; then their
figures and wrong pairs were read too, some five times, as rules grew (`read_later`), so nothing of it is held out. Of `litbank`, `redocred` and
`fr_litbank` the wrong pairs of every other document, from the first, were read; of the rest (`never_read`) the figures alone. `cost` aligns a
corpus again and measures it. `bundled` has no gold: it counts the decisions of this repository's corpus.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import corpora
import figures
import gold_names
import grouping
import homes

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.refresh import governing, products
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings, write_corpus_folder
from pagerag_pipeline.stores import knowledge

EVERY_TYPE = ("PER", "FAC", "GPE", "LOC", "VEH", "ORG")
SETS: dict[str, Callable[[Path], list[gold_names.GoldText]]] = {
    "pdnc": lambda folder: list(gold_names.read_pdnc(folder / "pdnc")),
    "litbank": lambda folder: list(gold_names.read_litbank(folder / "litbank")),
    "litbank_all": lambda folder: list(gold_names.read_litbank(folder / "litbank", EVERY_TYPE)),
    "redocred": lambda folder: list(gold_names.read_redocred(folder / "redocred" / "docs.jsonl")),
    "fr_litbank": lambda folder: list(gold_names.read_litbank(folder / "fr_litbank")),
}
TUNED = 4
"""Of the novels, sorted by name."""
GOVERNED = products.PRODUCT_FUNCTIONS["governed_graph"].__name__


def main() -> None:
    """Measure one set."""
    parser = homes.arguments("Alignment of names against gold entities, or its cost.")
    parser.add_argument("data", choices=[*SETS, "cost", "bundled"])
    parser.add_argument("--show", action="store_true", help="print the wrong pairs of each document that may be read")
    given = parser.parse_args()
    if given.data == "bundled":
        cost = _cost(_governed(given.data, given.work, None))
        figures.show("alignment", data="bundled", n=cost["documents"], figures=cost)
    elif given.data == "cost":
        cost = _cost(_governed("2wiki", given.work, None))
        figures.show("alignment", data="2wiki", n=cost["documents"], figures=cost)
    else:
        texts = sorted((text for text in SETS[given.data](corpora.eval_folder()) if text.mentions), key=lambda text: text.name)
        home = _governed(given.data.removesuffix("_all"), given.work, {text.name: text.text for text in texts})
        scores = [_score(text, nodes) for text, nodes in zip(texts, _nodes(home, texts), strict=True)]
        if given.show:
            _show_wrong(given.data, texts, scores)
        figures.show("alignment", data=given.data, n=len(texts), figures=_figures(given.data, texts, scores))


def _governed(name: str, work: Path, texts: Mapping[str, str] | None) -> Path:
    """A home over the texts, built as far as the governed graph; what stands is reused."""
    home = work.absolute() / "homes" / f"alignment-{name}"
    if not (home / "pagerag.toml").exists():
        folder = corpora.corpus(name, work) if texts is None else work / "corpora" / f"alignment-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in (texts or {}).items():
            (folder / file).write_text(text, encoding="utf-8")
        write_corpus_folder(home, folder.absolute())
    with Session.open(home, settings=load_settings(home), purpose="benchmark") as session:
        for product, function in products.PRODUCT_FUNCTIONS.items():
            if product != "chunk_embeddings":
                function(session)
            if product == GOVERNED:
                return home
    raise AssertionError("no governed graph")


def _nodes(home: Path, texts: Sequence[gold_names.GoldText]) -> list[dict[str, str]]:
    """Of each text, the node of each of its gold names."""
    with Session.open(home, settings=load_settings(home), purpose="benchmark") as session:
        rows = session.tables.rows(
            "SELECT DISTINCT document, quote, element_id FROM bindings WHERE element_kind = 'node' ORDER BY ALL"
        )
    meant: dict[tuple[str, str], Counter[str]] = {}
    for document, quote, node in rows:
        meant.setdefault((document, name_key(quote)), Counter())[node] += 1
    node_of = {place: min(count, key=lambda node: (-count[node], node)) for place, count in meant.items()}
    return [{name: node_of.get((text.name, name), f"unseen: {name}") for name, _ in text.mentions} for text in texts]


def _score(text: gold_names.GoldText, nodes: Mapping[str, str]) -> dict[str, Any]:
    exact = {name: name for name, _ in text.mentions}
    return {
        "exact": grouping.b_cubed(text.mentions, exact)[2],
        "shared_words": grouping.b_cubed(text.mentions, grouping.sharing_words(text.mentions))[2],
        "b3": grouping.b_cubed(text.mentions, nodes),
        "pairs": grouping.count_pairs(text.mentions, nodes),
        "unseen": sum(nodes[name].startswith("unseen: ") for name, _ in text.mentions) / len(text.mentions),
    }


def _figures(data: str, texts: Sequence[gold_names.GoldText], scores: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if data == "pdnc":
        each = {text.name: _summary([score]) for text, score in zip(texts, scores, strict=True)}
        return {**each, "all": _summary(scores), "tuned": _summary(scores[:TUNED]), "read_later": _summary(scores[TUNED:])}
    return {"all": _summary(scores), "read": _summary(scores[::2]), "never_read": _summary(scores[1::2])}


def _summary(scores: Sequence[dict[str, Any]]) -> dict[str, Any]:
    pairs: list[grouping.PairCount] = [score["pairs"] for score in scores]
    merged = [one for one in pairs if one.merged]
    b3, exact = grouping.mean([score["b3"][2] for score in scores]), grouping.mean([score["exact"] for score in scores])
    return {
        "documents": len(scores),
        "exact": exact,
        "shared_words": grouping.mean([score["shared_words"] for score in scores]),
        "b3": b3,
        "gain": b3 - exact,
        "b3_precision": grouping.mean([score["b3"][0] for score in scores]),
        "pair_precision": grouping.mean([one.right / one.merged for one in merged]),
        "merged": sum(one.merged for one in pairs),
        "right": sum(one.right for one in pairs),
        "gold_pairs": sum(one.gold for one in pairs),
        "wordless": sum(one.wordless for one in pairs),
        "wordless_right": sum(one.wordless_right for one in pairs),
        "unseen_mentions": grouping.mean([score["unseen"] for score in scores]),
    }


def _cost(home: Path) -> dict[str, Any]:
    """Seconds of alignment and of all of governing, with how much it looked at and decided."""
    settings = load_settings(home)
    with Session.open(home, settings=settings, purpose="benchmark") as session, session.tables.transaction():
        tables = session.tables
        begun = time.perf_counter()
        knowledge.stage_units(tables, [])
        staged, spent = time.perf_counter(), time.process_time()
        inputs, alignment = governing.aligned(tables, "")
        ended, spent = time.perf_counter(), time.process_time() - spent
        names = int(
            tables.rows(
                "SELECT count(*) FROM (SELECT DISTINCT document, key FROM term_mentions WHERE label NOT IN ('NOUN', 'NAME'))"
            )[0][0]
        )
        acts = alignment.decisions.group_by("act", "reason").len().sort("act", "reason").rows()
        people = alignment.groups.filter(alignment.groups["document"] != "")
        return {
            "documents": len(knowledge.live_documents(tables)),
            "names": names,
            "names_of_people": len(people),
            "people": people["group_key"].n_unique(),
            "declared": len(inputs.declared),
            "seconds_staging": staged - begun,
            "seconds_alignment": ended - staged,
            "processor_seconds_alignment": spent,
            "decisions": {f"{act} {reason}": count for act, reason, count in acts},
        }


def _show_wrong(data: str, texts: Sequence[gold_names.GoldText], scores: Sequence[dict[str, Any]]) -> None:
    for place, (text, score) in enumerate(zip(texts, scores, strict=True)):
        if score["pairs"].wrong and (data == "pdnc" or place % 2 == 0):
            print(json.dumps({text.name: score["pairs"].wrong}, ensure_ascii=False))


if __name__ == "__main__":
    main()
