"""The root of the lineage: the folder of documents, which nobody here builds."""

import dagster as dg

corpus_folder = dg.AssetSpec(
    "corpus_folder",
    description="The folder of documents that `[corpus] folder` in `pagerag.toml` names. It is only read. Its data version is the digest of "
    "its listing (paths, sizes, times of change) as the latest refresh saw it.",
    group_name="corpus",
    kinds={"file"},
    owners=["team:pagerag"],
)
