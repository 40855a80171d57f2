"""The profile of a document (Phi): form, topics, discourse mode, structure and boundary; PAGE-RAG, section 2.2. A control signal, never evidence."""

from pagerag_pipeline.indexing.language import detect_language
from pagerag_pipeline.indexing.structure import find_sections
from pagerag_pipeline.schema import ParsedDocument, Profile
from pagerag_pipeline.settings import ProfileSettings

VERSION = "profile/2"


def profile_document(document: ParsedDocument, settings: ProfileSettings) -> Profile:
    """The profile of a document, from its text and the layout its format declares."""
    sections = find_sections(document)
    return Profile(
        form="mixed",
        form_confidence=0.0,
        mode="mixed",
        mode_confidence=0.0,
        topics=(),
        language=detect_language(document.text),
        boundary=(("order", "sections"), ("sections", str(len(sections)))),
        features=(),
        sections=sections,
    )
