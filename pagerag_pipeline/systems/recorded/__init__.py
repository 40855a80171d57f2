"""EnSI-RAG: the plan of a question over records, its matching, and what is worked out over all that matches."""
