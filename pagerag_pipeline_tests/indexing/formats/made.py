"""Small files of many formats, made from bytes: PDFs line by line, ZIP archives part by part."""

import io
import zipfile
from collections.abc import Mapping, Sequence

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings


def parse(path: str, data: str | bytes, **settings: int) -> ParsedFile:
    """What a file of these bytes gives."""
    return parse_file(path, data.encode() if isinstance(data, str) else data, ParseSettings(**settings))


def only(path: str, data: str | bytes) -> ParsedDocument:
    """The only document of a file that loads."""
    parsed = parse(path, data)
    assert parsed.skipped == ""
    (document,) = parsed.documents
    return document


def slices(document: ParsedDocument, kind: str) -> list[str]:
    """The texts of all blocks of a kind."""
    return [document.text[b.start : b.end] for b in document.blocks if b.kind == kind]


def labels(document: ParsedDocument, kind: str) -> list[str]:
    """The labels of all blocks of a kind."""
    return [b.label for b in document.blocks if b.kind == kind]


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


Shown = tuple[float, float, float, str]
"""x, y, size and text of one line, in the order of the file."""


def pdf(pages: Sequence[Sequence[Shown]], *, title: str = "", extra: str = "") -> bytes:
    """A PDF in Helvetica; `extra` goes into its trailer."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", f"<< /Title ({title}) >>"]
    numbers = []
    for lines in pages:
        shown = "".join(f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n" for x, y, size, text in lines)
        numbers.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}endstream")
    objects[1] = f"<< /Type /Pages /Count {len(numbers)} /Kids [{' '.join(f'{n} 0 R' for n in numbers)}] >>"
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    tail = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R {extra}>>\n"
    return (body + tail + f"startxref\n{len(body)}\n%%EOF\n").encode("latin-1")


def column(x: float, top: float, lines: Sequence[str], *, size: float = 10) -> list[Shown]:
    """Lines below each other."""
    return [(x, top - 12 * number, size, line) for number, line in enumerate(lines)]
