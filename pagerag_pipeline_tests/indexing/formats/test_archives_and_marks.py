"""EPUB, XML and feeds, e-mail, RTF and JSON: small files typed here."""

import pytest

from pagerag_pipeline_tests.indexing.formats.made import only, parse, slices, zipped

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>Tinworks</dc:title><dc:creator>M. Quill</dc:creator></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="z%20one.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="a_two.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""
CHAPTER = "<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body>%s</body></html>"


def epub(**more: str) -> bytes:
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": PACKAGE,
        "OPS/nav.xhtml": CHAPTER % "<nav><ol><li><a href='z%20one.xhtml#t'>The Founding</a></li><li><a href='a_two.xhtml'>The Sale</a></li></ol></nav>",
        "OPS/z one.xhtml": CHAPTER % "<p>Mara <b>Quill</b> founded Tinworks.</p><script>var s = 'Zed Faker';</script>",
        "OPS/a_two.xhtml": CHAPTER % "<h1>II. The Sale</h1><p>Odo Fenn bought it.</p>",
    }
    return zipped(parts | more)


def test_chapters_stand_in_spine_order_with_their_titles_and_without_markup() -> None:
    document = only("book.epub", epub())
    assert document.title == "Tinworks"
    assert document.text == "The Founding\n\nMara Quill founded Tinworks.\n\nII. The Sale\n\nOdo Fenn bought it.\n"
    assert slices(document, "heading") == ["The Founding", "II. The Sale"]
    assert document.metadata == (("author", "M. Quill"),)


def test_a_missing_chapter_is_noted_and_the_others_load() -> None:
    package = PACKAGE.replace("a_two.xhtml", "gone.xhtml")
    parsed = parse("book.epub", epub(**{"OPS/book.opf": package}))
    assert parsed.documents[0].text == "The Founding\n\nMara Quill founded Tinworks.\n"
    assert parsed.notes == ("chapter 'OPS/gone.xhtml' left out: its part 'OPS/gone.xhtml' is missing",)


def test_a_locked_book_is_skipped() -> None:
    locked = "<encryption><EncryptedData><CipherData><CipherReference URI='OPS/z%20one.xhtml'/></CipherData></EncryptedData></encryption>"
    assert parse("book.epub", epub(**{"META-INF/encryption.xml": locked})).skipped.startswith("encrypted")


FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour News</title><description>All of it</description>
<item><title>Tinworks sold</title><pubDate>Mon, 1 May 1912</pubDate><description>&lt;p&gt;Odo &lt;b&gt;Fenn&lt;/b&gt; bought it &amp;amp; more.&lt;/p&gt;</description></item>
<item><title>Bees</title><description><![CDATA[<p>Sister&nbsp;Bell kept bees.</p>]]></description></item></channel></rss>"""


def test_a_feed_is_its_items_under_their_titles() -> None:
    document = only("news.rss", FEED)
    assert document.title == "Harbour News"
    assert slices(document, "heading") == ["Tinworks sold", "Bees"]
    assert "Odo Fenn bought it & more." in document.text
    assert "Sister\u00a0Bell kept bees." in document.text
    assert "<" not in document.text


def test_xml_is_read_by_elements_and_its_titles_open_sections() -> None:
    document = only("a.xml", "<book><title>Tinworks</title><chapter><title>One</title><p>Mara <i>Quill</i> came.</p></chapter></book>")
    assert document.title == "Tinworks"
    assert document.text == "Tinworks\n\nOne\n\nMara Quill came.\n"


def test_entities_are_never_resolved() -> None:
    laughs = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {c} '{f'&{b};' * 10}'>" for b, c in zip("abcdefgh", "bcdefghi", strict=True)) + "]>"
    parsed = parse("a.xml", laughs + "<x><p>Before</p><p>&i;</p></x>")
    assert [d.text for d in parsed.documents] == ["Before\n"]
    outside = parse("a.xml", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x><p>Before &a;</p></x>')
    assert [d.text for d in outside.documents] == ["Before\n"]


def test_broken_xml_is_read_as_far_as_possible_and_noted() -> None:
    parsed = parse("a.xml", "<x><p>Mara Quill</p><p>Odo")
    assert parsed.documents[0].text == "Mara Quill\n\nOdo\n"
    assert parsed.notes == ("broken XML: read as far as possible",)


MAIL = (
    b"From: Mara <mara@example.org>\r\nTo: odo@example.org\r\nSubject: =?utf-8?q?The_sale_=C3=A9?=\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/%s; charset="%s"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n'
    b'--b\r\nContent-Type: application/pdf; name="deed.pdf"\r\nContent-Disposition: attachment; filename="deed.pdf"\r\n\r\nxx\r\n--b--\r\n'
)


def test_a_message_is_its_subject_address_lines_and_body_and_names_its_attachments() -> None:
    parsed = parse("a.eml", MAIL % (b"plain", b"utf-8", b"I sell it.\r\n\r\nMara"))
    (document,) = parsed.documents
    assert document.title == "The sale \u00e9"
    assert document.text.startswith("From: Mara <mara@example.org>\nTo: odo@example.org\n")
    assert document.text.endswith("\n\nI sell it.\n\nMara\n")
    assert parsed.notes == ("attachment 'deed.pdf' left out",)


@pytest.mark.parametrize("charset", [b"windows-1252", b"no-such-charset", b"utf-8"])
def test_a_body_in_a_wrong_or_unknown_charset_is_read_all_the_same(charset: bytes) -> None:
    assert only("a.eml", MAIL % (b"plain", charset, b"Caf\xe9 on the lane")).text.endswith("Caf\u00e9 on the lane\n")


def test_an_html_body_is_read_without_its_markup() -> None:
    assert only("a.eml", MAIL % (b"html", b"utf-8", b"<p>I <b>sell</b> it.</p><script>x()</script>")).text.endswith("\n\nI sell it.\n")


def test_a_list_of_very_many_addresses_is_cut() -> None:
    many = b",\n ".join(b'"P%d" <p%d@example.org>' % (n, n) for n in range(20_000))
    document = only("a.eml", b"From: a@example.org\nTo: " + many + b"\nSubject: Caf\xe9\n\nWords.\n")
    assert len(document.text) < 6_000
    assert document.title == "Caf\u00e9"


def test_rtf_is_its_plain_text_with_the_stated_title() -> None:
    rtf = rb"{\rtf1\ansi\ansicpg1252{\info{\title The Sale}}{\fonttbl{\f0 Arial;}}\f0 Caf\'e9 on {\b Harbour} Lane.\par Odo \u8212? bought it.\par}"
    document = only("a.rtf", rtf)
    assert document.title == "The Sale"
    assert document.text.strip() == "Caf\u00e9 on Harbour Lane.\nOdo \u2014 bought it."


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "a", "text": "Mara."}, {"id": "b", "text": "Odo."}]',
        '{"count": 2, "data": [{"id": "a", "text": "Mara."}, {"id": "b", "text": "Odo."}]}',
        '{"a": {"text": "Mara."}, "b": {"text": "Odo."}}',
        '{"id": "a", "text": "Mara."}\n{"id": "b", "text": "Odo."}\n',
    ],
)
def test_json_records_are_documents(text: str) -> None:
    assert [(d.sub_id, d.text) for d in parse("a.json", text).documents] == [("a", "Mara."), ("b", "Odo.")]


def test_one_json_object_with_text_is_the_document_of_its_file() -> None:
    document = only("a.json", '{"id": 7, "title": "The Sale", "text": "Odo bought it.", "year": 1912}')
    assert (document.sub_id, document.title, document.text, document.metadata) == ("", "The Sale", "Odo bought it.", (("year", "1912"),))


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.json", '{"theme": "dark"}', "holds no records with a `text` field"),
        ("a.json", '{"text": ', "not JSON: Expecting value, line 1"),
        ("a.json", "[" * 100_000, "not readable as .json: RecursionError"),
        ("a.xml", "just words", "not readable as XML"),
        ("a.eml", "just words\n", "not readable as e-mail"),
        ("a.rtf", "just words", "named .rtf but is not an RTF file"),
        ("a.epub", "just words", "not a sound ZIP archive"),
        ("a.epub", zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": "<container/>"}), "names no package file"),
    ],
)
def test_what_cannot_be_read_is_skipped_with_its_reason(path: str, data: str | bytes, reason: str) -> None:
    parsed = parse(path, data)
    assert parsed.documents == ()
    assert parsed.skipped.startswith(reason)
