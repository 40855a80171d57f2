"""A small work file made by hand, as the verbs would leave it: two documents, a table, a graph of two nodes, a report and a tree."""

from pathlib import Path

import polars as pl

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema.documents import chunk_id, embed_text
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.work import open_work

# Characters whose bytes, UTF-16 units and graphemes count differently from Python's code points.
FIRST = "Ada \U0001f468‍\U0001f469‍\U0001f467 met Zoë in Café Müller.\nThey talked. 東京 is far; e\u0301 is one sign.\n"
SECOND = "\U0001f600 A table:\nname | town\nZoë | Köln\nAda | Bath\n"
CUT = FIRST.index("They")
SETTINGS = StoreSettings(duckdb_memory="500MB", duckdb_threads=1)


def span(text: str, part: str) -> tuple[int, int]:
    """Where a part first stands in a text."""
    start = text.index(part)
    return start, start + len(part)


class SmallWork:
    """The open work file and the ids that tests ask about."""

    def __init__(self, home: Path) -> None:
        self.tables: Tables = open_work(home, SETTINGS)
        self.chunks: dict[tuple[str, str, int], str] = {}
        for document, text, cuts in (("a/first.txt", FIRST, [0, CUT, len(FIRST)]), ("second.txt", SECOND, [0, len(SECOND)])):
            self._document(document, text)
            for ordinal, (start, end) in enumerate(zip(cuts, cuts[1:], strict=False)):
                self._cut(document, text, ("chunk", ordinal, -1), (start, end))
                self._cut(document, text, ("passage", 2 * ordinal, ordinal), (start, start + 15))
                self._cut(document, text, ("passage", 2 * ordinal + 1, ordinal), (start + 15, end))
        self._cut("second.txt", SECOND, ("row", 0, 0), span(SECOND, "Zoë | Köln\n"))
        self._extraction()
        self._graph()
        self._products()

    def _document(self, document: str, text: str) -> None:
        key, text_id = content_id("key" + document), content_id(text)
        self.insert("ledger_source_documents", unit=document, key=key, output=key, status="ok")
        self.insert("parsed", key=key, ordinal=0, sub_id="", title="T " + document, text_id=text_id, document_key=key, metadata="[]", blocks="[]")
        self.insert("texts", text_id=text_id, text=text)
        for ledger in ("document_profiles", "chunks"):
            self.insert(f"ledger_{ledger}", unit=document, key=key, output=key, status="ok")
        self.insert("profiles", key=key, form="fiction", form_confidence=0.9, mode="narrative", mode_confidence=0.8, topics="[]", language="en")
        self.insert("sections", key=key, ordinal=0, title="One", kind="body", level=1, start_at=0, end_at=len(text), path='["One"]', mode="mixed")

    def _cut(self, document: str, text: str, place: tuple[str, int, int], bounds: tuple[int, int]) -> None:
        kind, ordinal, parent = place
        piece, context = text[bounds[0] : bounds[1]], "" if kind == "chunk" else "One"
        content, embed_key = content_id(piece), content_id(embed_text(context, piece))
        self.chunks[document, kind, ordinal] = chunk_id(document, kind, content, 0)  # type: ignore[arg-type]
        self.insert(
            "cuts", key=content_id("key" + document), kind=kind, ordinal=ordinal, parent=parent, start_at=bounds[0], end_at=bounds[1],
            section=0, context=context, content_id=content, embed_key=embed_key, tokens=9, occurrence=0,
        )  # fmt: skip
        self.tables.execute("INSERT INTO contents SELECT ?, ? WHERE ? NOT IN (SELECT content_id FROM contents)", [content, piece, content])
        if kind != "chunk":
            self._vector("chunk_embeddings", embed_key, " ".join(terms(embed_text(context, piece))))

    def _vector(self, ledger: str, embed_key: str, words: str) -> None:
        self.insert(f"ledger_{ledger}", unit=embed_key, key="v" + embed_key, output="", status="ok")
        self.insert("vectors", key="v" + embed_key, terms=words, vector=[1.0, 0.0])

    def _extraction(self) -> None:
        for number, (document, text) in enumerate((("a/first.txt", FIRST), ("second.txt", SECOND))):
            self.insert("ledger_entity_records", unit=self.chunks[document, "chunk", 0], key=f"x{number}", output="", status="ok")
            quote = ("Zoë in Café Müller", "Zoë | Köln")[number]
            start, end = span(text, quote)
            one = {
                "key": f"x{number}", "entity": "Zoë’s", "entity_type": "PERSON", "category": "relation", "field": "in",
                "value": quote[6:], "value_is_entity": True, "modality": "asserted", "qualifiers": "[]", "start_at": start, "end_at": end,
                "quote": quote,
            }  # fmt: skip
            self.insert("records", ordinal=0, **one)
            self.insert("records", ordinal=1, **one)
            self.insert("records", ordinal=2, **{**one, "category": "property", "value_is_entity": False})

        # One chunk is parted, the others are left whole, as after a failure.
        ada, zoe = FIRST[: FIRST.index("Zoë")], FIRST[FIRST.index("Zoë") : CUT]
        self.insert("ledger_entity_passages", unit=self.chunks["a/first.txt", "chunk", 0], key="p0", output="", status="ok")
        for ordinal, (text, entity, kind) in enumerate(((ada, "Ada", "PERSON"), (zoe, "", ""))):
            start = FIRST.index(text)
            self.insert(
                "entity_cuts", key="p0", ordinal=ordinal, start_at=start, end_at=start + len(text), content_id=content_id(text), tokens=5,
                entity=entity, entity_type=kind,
            )  # fmt: skip

    def _graph(self) -> None:
        chunk = self.chunks["a/first.txt", "chunk", 0]
        start, end = span(FIRST, "Ada \U0001f468‍\U0001f469‍\U0001f467 met Zoë")
        for element, kind in (("ada", "node"), ("zoe", "node"), ("met", "edge")):
            self.insert(
                "bindings", element_id=element, element_kind=kind, document="a/first.txt", chunk_id=chunk, start_at=start, end_at=end,
                quote=FIRST[start:end],
            )  # fmt: skip
        for name in ("ada", "zoe"):
            self.insert("nodes", entity_id=name, name=name.title(), key=name, type="PERSON", types='["PERSON"]', mentions=1, isolated=False)
            self.insert("aliases", entity_id=name, alias=name.title(), alias_key=name)
        self.insert("edges", edge_id="met", head="ada", predicate="met", tail="zoe", modality="asserted", confidence=0.9, weight=1)
        for number, name in enumerate(("ada", "zoe")):
            self.insert("graph_terms", term=name, name=name.title(), number=number)
        self.insert("term_sentences", document="a/first.txt", chunk_id=chunk, start_at=start, end_at=end, terms=[0, 1])
        self.insert("decisions", decision_id="d1", element_id="met", element_kind="edge", gate="G1", act="accept", reason="bound", detail="")

    def _products(self) -> None:
        second = self.chunks["a/first.txt", "chunk", 1]
        quote = "\u6771\u4eac is far; e\u0301 is one"
        start, end = span(FIRST[CUT:], quote)
        self.insert("communities", community_id="c0", level=0, parent_id="", size=2)
        self.insert("communities", community_id="c1", level=1, parent_id="c0", size=2)
        for member in ("ada", "zoe"):
            self.insert("members", community_id="c1", entity_id=member)
        self.insert("reports", community_id="c1", level=1, title="Ada", text=quote, topics="[]", uncited=0, embed_key="r" * 32)
        self.insert("handles", kind="entity", handle="ada", words="ada", embed_key="h" * 32)
        self._vector("handle_embeddings", "h" * 32, "ada")
        self.insert("report_quotes", community_id="c1", ordinal=0, document="a/first.txt", chunk_id=second, start_at=start, end_at=end, quote=quote)
        self._vector("report_embeddings", "r" * 32, "ada")
        for ordinal in (0, 1):
            self.insert(
                "tree", node_id=f"leaf{ordinal}", document="a/first.txt", level=0, ordinal=ordinal, parent_id="root",
                chunk_id=self.chunks["a/first.txt", "chunk", ordinal], text="", embed_key="",
            )  # fmt: skip
        self.insert("tree", node_id="root", document="a/first.txt", level=1, ordinal=0, parent_id="", chunk_id="", text=quote, embed_key="s" * 32)
        self.insert("tree_quotes", node_id="root", ordinal=0, document="a/first.txt", chunk_id=second, start_at=start, end_at=end, quote=quote)
        self._vector("summary_embeddings", "s" * 32, "talked")

    def insert(self, table: str, **values: object) -> None:
        """One row, by column name."""
        self.tables.insert(table, pl.DataFrame({name: [value] for name, value in values.items()}))
