"""Lists, tables, speaker turns and left-over tags of texts kept as written stand where their blocks say."""

from pagerag_pipeline.indexing.formats.marks import find_blocks, without_tags


def shown(text: str, kind: str) -> list[tuple[str, str]]:
    return [(text[b.start : b.end], b.label) for b in find_blocks(text) if b.kind == kind]


def test_speaker_turns_run_from_name_to_name() -> None:
    text = "A talk about bees.\n\nMARA QUILL: Good evening.\n\nIt is late.\n\nODO FENN: It is.\n\nMARA QUILL: So?\n\nODO FENN: So.\n"
    assert shown(text, "speaker") == [
        ("MARA QUILL: Good evening.\n\nIt is late.", "MARA QUILL"), ("ODO FENN: It is.", "ODO FENN"), ("MARA QUILL: So?", "MARA QUILL"), ("ODO FENN: So.", "ODO FENN"),
    ]  # fmt: skip


def test_a_colon_now_and_then_is_no_speaker() -> None:
    assert shown("Note: one.\n\nWarning: two.\n\nNote: three.\n\nIt ended.\n", "speaker") == []


def test_lists_of_plain_text_are_found() -> None:
    text = "We need:\n\n- flour\n- rye\n- salt\n\n1. Sift.\n2. Knead.\n\nThen wait.\n"
    assert [slice_ for slice_, _ in shown(text, "list")] == ["- flour\n- rye\n- salt", "1. Sift.\n2. Knead."]


def test_rows_of_a_plain_table_have_its_header() -> None:
    text = "Sizes:\n\nroom      size\nHall      12\nYard      90\n\nThat is all.\n"
    assert shown(text, "row") == [("Hall      12", "room size"), ("Yard      90", "room size")]
    assert [slice_ for slice_, _ in shown("room\tsize\nHall\t12\nYard\t90\n", "row")] == ["Hall\t12", "Yard\t90"]


def test_wrapped_prose_is_no_table() -> None:
    assert find_blocks("He said that he would come  and\nthat he would bring the  rope and\nthe lamp with him that  night.\n") == ()


def test_tags_left_in_a_text_tell_its_layout() -> None:
    text = (
        "Tin <H1> Tin </H1> <P> One . </P> <P> Two . </P> <H2> Rooms </H2> <Table> <Tr> <Th> room </Th> <Th> size </Th> </Tr> "
        "<Tr> <Td> Hall </Td> <Td> 12 </Td> </Tr> </Table>"
    )
    blocks = find_blocks(text)
    assert [(b.level, b.label) for b in blocks if b.kind == "heading"] == [(1, "Tin"), (2, "Rooms")]
    assert [without_tags(text[b.start : b.end]) for b in blocks if b.kind == "paragraph"] == ["One .", "Two ."]
    assert [(without_tags(row), header) for row, header in shown(text, "row")] == [("Hall 12", "room size")]
