"""Parquet files: many documents (a `text` column), or one table that is a document itself; what they unpack to is bounded."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pagerag_pipeline.indexing.formats.archive import Unreadable
from pagerag_pipeline.indexing.formats.rows import TEXT_FIELD, documents_from_rows, left_out, readable, table_document
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 4096
CELL_BYTES = 16
"""A value counts for no less: it becomes an object, however small it lies in the file."""
_TEXTS = ("STRING", "NONE", "JSON", "BSON", "ENUM")


def parse_parquet(data: bytes, settings: ParseSettings) -> ParsedFile:
    """Documents from a Parquet file with a `text` column, else one document that is the table itself.

    Raises Unreadable when it would unpack to more than `settings.max_unpacked_bytes`.
    """
    import pyarrow as pa

    try:
        file = _opened(data, settings)
        if not file.metadata.num_rows:
            return ParsedFile((), skipped="empty")
        _check_texts(file, settings)
        rows = (row for batch in _batches(file, settings) for row in batch.to_pylist())
        notes = _cut_off(file.metadata.num_rows, settings)
        names = file.schema_arrow.names
        if TEXT_FIELD in names:
            return documents_from_rows(((f"row {number}", row) for number, row in enumerate(rows, start=1)), notes, settings)
        lost: Counter[str] = Counter()
        table = [[readable(row, name, lost) for name in names] for row in rows]
        return table_document(table, names, (*notes, *left_out(lost)))
    except (pa.ArrowException, OSError) as error:
        return ParsedFile((), skipped=f"not readable as Parquet: {str(error).splitlines()[0]}")


def _opened(data: bytes, settings: ParseSettings) -> "pq.ParquetFile":
    """The file with its texts left in dictionaries: one that stands there once and is pointed at a million times is not written out."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    columns = [file.schema.column(place) for place in range(len(file.schema))]
    stated = 0
    for group in range(file.metadata.num_row_groups):
        for place, column in enumerate(columns):
            held = file.metadata.row_group(group).column(place)
            width = column.length if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
            stated += max(held.total_uncompressed_size, held.num_values * max(width, CELL_BYTES))
    _check(stated, settings)
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY" and column.logical_type.type in _TEXTS]
    return pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)


def _batches(file: "pq.ParquetFile", settings: ParseSettings) -> Iterator["pa.RecordBatch"]:
    """The first `settings.max_documents_per_file` rows."""
    left = settings.max_documents_per_file
    for group in range(file.metadata.num_row_groups):
        # One group at a time: nested texts cannot be read across two dictionaries.
        for batch in file.iter_batches(batch_size=min(BATCH_ROWS, left), row_groups=[group]):
            yield batch.slice(0, left)
            left -= min(left, batch.num_rows)
            if not left:
                return


def _check_texts(file: "pq.ParquetFile", settings: ParseSettings) -> None:
    """Raise Unreadable for too much text; all of it is measured before any of it is written out."""
    size = 0
    for batch in _batches(file, settings):
        size += sum(map(_text_bytes, batch.columns))
        _check(size, settings)


def _check(size: int, settings: ParseSettings) -> None:
    if size > settings.max_unpacked_bytes:
        raise Unreadable(f"would unpack to more than parse.max_unpacked_bytes = {settings.max_unpacked_bytes}")


def _text_bytes(array: "pa.Array") -> int:
    """Bytes of the texts in an array once each is written out, however deep they lie."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(array.type):
        lengths = pc.binary_length(array.dictionary).take(array.indices)
        return int(pc.sum(lengths.cast(pa.int64())).as_py() or 0)
    if pa.types.is_map(array.type):
        return _text_bytes(array.keys) + _text_bytes(array.items)
    if pa.types.is_struct(array.type):
        return sum(map(_text_bytes, array.flatten()))
    if pa.types.is_nested(array.type):
        return _text_bytes(array.flatten())
    return 0


def _cut_off(rows: int, settings: ParseSettings) -> list[str]:
    most = settings.max_documents_per_file
    return [f"row {most + 1} and all after it left out: parse.max_documents_per_file = {most}"] if rows > most else []
