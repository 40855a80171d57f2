"""How well the root summary says what people say of the same document, and how many of its entities it names, beside simple ways to summarize.

Every method summarizes through the same tree (`tree`: the root chooses among quotes of its children, as the package does) and from all
sentences at once (`flat`), with the same most tokens. ROUGE F1 with Porter stemming, in percent, against the best of a document's human summaries;
coverage is the share of names with at least three mentions whose words stand together in the root summary, or in one of the tree's first level.
Choices were made on one half of the documents (by digest of their ids) and the other half is reported. `bundled` has no human
summaries: coverage alone, of all of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from time import process_time

import figures
import homes
import summaries_read
from summaries_methods import METHODS, Summarizer
from summaries_read import Read

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.summarize import quoted_parts
from pagerag_pipeline.indexing.tree import ENDING, build_tree, leaf_marks
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.schema.knowledge import Summary
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import Settings, SummarizeSettings

ROUGE = ("rouge1", "rouge2", "rougeL")


def tree(document: Read, summarize: Summarizer, tokenizer: Tokenizer, settings: SummarizeSettings) -> list[list[Summary]]:
    """The summaries of each level, the first level first and the root last; a document of one leaf is summarized, too."""
    levels: list[list[Summary]] = []
    below = [[leaf] for leaf in document.leaves]
    marks = leaf_marks([(leaf.content_id, leaf.text[-ENDING:]) for leaf in document.leaves])
    for level in build_tree(marks, settings):
        groups = [[part for parts in below[start:end] for part in parts] for start, end in level.groups]
        levels.append([summarize(parts, tokenizer, settings) for parts in groups])
        below = [quoted_parts([summary]) for summary in levels[-1]]
    return levels or [[summarize(document.leaves, tokenizer, settings)]]


def rouge(references: Sequence[str], text: str) -> dict[str, float]:
    """F1 in percent against the reference that each measure likes best; nothing without references."""
    if not references:
        return {}
    from rouge_score.rouge_scorer import RougeScorer

    scores = RougeScorer(ROUGE, use_stemmer=True).score_multi(references, text)
    return {name: 100 * scores[name].fmeasure for name in ROUGE}


def named(document: Read, *, by: str, summaries: Sequence[Summary]) -> dict[str, float]:
    """Share in percent of the document's entities whose name stands in one of the summaries; nothing for a document without entities."""
    if not document.entities:
        return {}
    texts = [f" {' '.join(lexical.words(summary.text))} " for summary in summaries]
    return {f"named by {by}": 100 * fmean(any(f" {' '.join(name)} " in text for text in texts) for name in document.entities)}


def measured(documents: Sequence[Read], summarize: Summarizer, settings: SummarizeSettings, *, flat: bool) -> dict[str, float]:
    """Means over the documents, and the processor's seconds a document."""
    tokenizer = load_tokenizer(Settings().embed)
    begun = process_time()
    trees = [[[summarize(one.leaves, tokenizer, settings)]] if flat else tree(one, summarize, tokenizer, settings) for one in documents]
    seconds = (process_time() - begun) / len(documents)
    rows = [
        {
            **rouge(one.references, levels[-1][0].text),
            **named(one, by="root", summaries=levels[-1]),
            **named(one, by="first level", summaries=levels[0]),
        }
        for one, levels in zip(documents, trees, strict=True)
    ]
    measures = dict.fromkeys(name for row in rows for name in row)
    return {**{name: fmean(row[name] for row in rows if name in row) for name in measures}, "seconds": seconds}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=(*summaries_read.SETS, "bundled"))
    parser.add_argument("--tokens", type=int, default=SummarizeSettings().summary_tokens, help="most tokens of a summary (default: the package's)")
    parser.add_argument("--half", choices=("reported", "chosen"), default="reported", help="half of the documents (default: the one not chosen on)")
    given = parser.parse_args()
    documents = summaries_read.read(given.data, given.work)
    if given.data != "bundled":
        documents = [one for one in documents if summaries_read.chosen_on(one.name) == (given.half == "chosen")]
    settings = replace(SummarizeSettings(), summary_tokens=given.tokens)
    found = {
        f"{name}, {'flat' if flat else 'tree'}": measured(documents, summarize, settings, flat=flat)
        for name, summarize in METHODS.items()
        for flat in (False, True)
    }
    figures.show("summaries", data=given.data, n=len(documents), figures=found)


if __name__ == "__main__":
    main()
