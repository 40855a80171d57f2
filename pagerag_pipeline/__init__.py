"""pagerag_pipeline: a Dagster code location that turns long documents into a hybrid repository and answers from it."""
