"""The wing that knows Dagster."""
