"""Answers judged by a chat model, as the papers judge them: grades, pairs in both orders, and the measures of Ragas."""
