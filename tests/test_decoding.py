"""Bytes become text that formats can rely on, with a problem for whatever was mended."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.text.decoding import MAX_DOCUMENT_BYTES, character_set, decode, is_plain


def check(data: bytes | str, text: str | None, *problems: str, configured: str = "") -> None:
    """The bytes read as this text; the problems, each in its place, contain these words."""
    decoded = decode(
        data.encode() if isinstance(data, str) else data, path="a.md", configured=configured
    )
    assert decoded.text == text
    found = [str(problem) for problem in decoded.problems]
    assert len(found) == len(problems), found
    for one, words in zip(found, problems, strict=True):
        assert one.startswith("a.md:") and words in one, one


def test_plain_utf8_is_left_alone():
    """A text that is in order comes out as it is, in any script, and nothing is said about it."""
    check(
        "naïve – “quoted” — 中文 العربية Ελληνικά ±½\n\ttabbed\n",
        "naïve – “quoted” — 中文 العربية Ελληνικά ±½\n\ttabbed\n",
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_decides(encoding: str):
    """A file that begins with a byte order mark is read as that says, and the mark is dropped."""
    check("Ünïcode\n2 €".encode(encoding), "Ünïcode\n2 €")


def test_a_broken_file_with_a_mark_is_read_as_far_as_it_goes():
    """Bytes that are invalid in the encoding of the byte order mark are replaced and reported with
    their line."""
    check(
        "a\nb".encode("utf-16-le").join([b"\xff\xfe", b"\x00"]),
        "a\nb�",
        "a.md:2: byte 0x00 is not UTF-16-LE",
    )


@pytest.mark.parametrize(
    "start",
    [
        b'<meta charset="shift_jis">',
        b"<html><META http-equiv=Content-Type content='text/html; charset=Shift_JIS'>",
        b'<?xml version="1.0" encoding="Shift_JIS"?>',
    ],
)
def test_a_declared_character_set_is_used(start: bytes):
    """HTML and XML may declare the character set, and it is believed where the bytes fit it."""
    check(start + b"\n\x82\xa0", start.decode() + "\nあ")


def test_latin_1_means_windows_1252():
    """A file that says it is Latin-1 is read as browsers read it."""
    start = '<meta charset="latin-1">\n'
    check(start.encode() + b"\x93caf\xe9\x94", f"{start}“café”")


@pytest.mark.parametrize(
    "text",
    [
        "<meta charset=shift_jis>\nあ",
        "Read a page's\n<meta charset=latin1> first: é",
        "<meta charset=zlib>\né",
        "<meta charset=unicode_escape>\n\\n é",
        "<meta charset=utf-16>\né",
    ],
)
def test_a_declaration_that_does_not_hold_is_passed_over(text: str):
    """Text about declarations, false ones, and codecs that are no character sets leave UTF-8 as it
    is."""
    check(text, text)


def test_the_configured_character_set_comes_after_utf8():
    """`encoding` in site.toml is for what is not UTF-8, and for nothing else."""
    check("жизнь".encode("koi8-r"), "жизнь", configured="koi8-r")
    check("жизнь", "жизнь", configured="koi8-r")


def test_what_nothing_fits_is_read_as_windows_1252():
    """The last resort says the line and the byte at which it became clear, and what would be
    better."""
    check(
        b"one\r\n\r\ncaf\xe9 \x81",
        "one\n\ncafé �",
        "a.md:3: byte 0xE9 is not UTF-8; read as windows-1252; save the file as UTF-8",
    )


def test_a_declared_character_set_is_used_where_some_bytes_do_not_fit():
    """The other characters of such a file are right; the first byte that is not is reported."""
    check(
        b"<meta charset=big5>\n\xa4\xa4\n\xff",
        "<meta charset=big5>\n中\n�",
        "a.md:3: byte 0xFF is not BIG5HKSCS; save the file as UTF-8",
    )


@pytest.mark.parametrize("configured", ["big5", "shift_jis", "cp1252"])
def test_a_file_of_utf8_with_a_wrong_byte_stays_one(configured: str):
    """A character set that is configured for other files does not spoil the characters of such a
    file."""
    text = "Die Größe ist schön.\nDas Maß – „gut“.\n"
    decoded = decode(text.encode() + b"caf\xe9\n", path="a.md", configured=configured)
    assert decoded.text == f"{text}café\n"


def test_damaged_text_is_mended_and_reported_once():
    """UTF-8 that was once read as windows-1252 is put right, and reported at the first line."""
    check(
        "ok\nthe modelâ€™s name\nok\nnaÃ¯ve, voilÃ\u00a0\n",
        "ok\nthe model’s name\nok\nnaïve, voilà\n",
        "a.md:2: UTF-8 in the characters of another set, such as â€™, is repaired (and 1 more like it)",
    )


def test_damage_on_many_lines_is_counted():
    """All lines but the first are only counted."""
    lines = "\n".join(["Ã©tÃ©"] * 20)
    check(lines, "\n".join(["été"] * 20), "(and 19 more like it)")


@pytest.mark.parametrize(
    "text",
    [
        "L’été à Ávila — «ça» Ünlü",
        "MAÇÃ É BOM, AÇÃO",
        "an example of damage is `â€™`, or ``Ã©``",
        "Ã",
        "½µm ±5 °C",
    ],
)
def test_what_may_be_meant_is_not_mended(text: str):
    """Only certain repairs are made: none to real accents, and none to examples in code."""
    check(text, text)


def test_characters_nobody_sees_are_taken_out():
    """Direction controls, zero-width and soft hyphens, and control characters go, and are
    reported at the first line."""
    check(
        "a\u202eb\u200bc\n\nsoft\u00adhyphen \x07bell\n\x1b[31mred\x1b[0m and enough other text "
        "for it to be text",
        "abc\n\nsofthyphen bell\nred and enough other text for it to be text",
        "a.md:1: invisible characters taken out: U+0007, U+001B, U+00AD, U+200B, U+202E (and 2 "
        "more like it)",
    )


def test_invisible_characters_of_many_kinds_are_counted():
    """After a few code points, the others are only counted."""
    check(
        "a\u00ad\u200b\u2060\u202a\u202b\u202c\u202d\u202eb",
        "ab",
        "taken out: U+00AD, U+200B, U+202A, U+202B, U+202C and 3 more",
    )


def test_joiners_stay_where_they_shape_letters():
    """Persian, Indic scripts and emoji need their joiners, of which one stays if it was typed
    twice; between Latin or Cyrillic letters they only hide, also beside each other or beside other
    invisible characters."""
    check("می‌خواهم क्‍ष 👩‍💻", "می‌خواهم क्‍ष 👩‍💻")
    check("می\u200c\u200cخواهم", "می\u200cخواهم", "U+200C")
    check("a\u200db а\u200cб", "ab аб", "U+200C, U+200D")
    check("a\u200c\u200c\u200cb c\u200b\u200c\u2060d", "ab cd", "U+200B, U+200C, U+2060")


def test_every_line_ends_in_one_way():
    """Whatever the system it was written on, lines end in a newline, and nothing else looks like
    the end of one."""
    check("a\r\nb\rc\n\fd\ve\u2028f\u2029g", "a\nb\nc\n d e f g")


def test_text_comes_in_normal_form():
    """A letter and its accent are one character."""
    check("cafe\u0301", "café")


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \r\n\t\n"])
def test_an_empty_file_is_refused(data: bytes):
    """A file without a word is refused, so that it counts as unknown and not as a glossary without
    terms."""
    check(data, None, "the file is empty; write the glossary into it, or leave it out")


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\x00\x00",
        "wide".encode("utf-16-le"),
        bytes(range(1, 256)),
        b"\xff\xfe\x00\x00" + b"\x00" * 8,
    ],
)
def test_what_is_not_text_is_refused(data: bytes):
    """A file with NUL characters, or with many other controls, is refused and named."""
    check(data, None, "not a text file; a glossary is text")


def test_a_file_above_the_limit_is_refused():
    """A file that is too large is refused, naming its size and the limit."""
    check(b"x" * MAX_DOCUMENT_BYTES, "x" * MAX_DOCUMENT_BYTES)
    check(
        b"x" * (MAX_DOCUMENT_BYTES + 1),
        None,
        "the file has 8,388,609 bytes; at most 8,388,608 are read; divide it",
    )


def test_hostile_lines_are_read_in_time():
    """Damage without end, backticks without end and very long lines cost no more than their
    length."""
    for text in (
        "Ã\x83Ã\x82" * 100_000,
        ("`" * 9_000 + "Ã©\n") * 50,
        "`Ã©" * 200_000,
        "\x1b[" * 9 + "x " * 100_000,
    ):
        decoded = decode(text.encode(), path="a.md")
        assert decoded.text and decoded.text.count("\n") == text.count("\n")


def test_character_sets_go_by_all_their_names():
    """Labels are those people write; what is no character set has no name."""
    assert (
        character_set("Windows-1252")
        == character_set("latin1")
        == character_set("us-ascii")
        == "cp1252"
    )
    assert character_set("UTF8") == "utf-8"
    assert [
        character_set(label) for label in ("", "rot13", "utf-7", "idna", "a\0b", "klingon")
    ] == [""] * 6


def test_a_plain_name_is_one_visible_line():
    """Names and paths hold no line breaks, no hidden characters and no halves of characters."""
    assert all(map(is_plain, ["GLOSSARY.md", "größe é", "می‌خواهم", "a  b"]))
    assert not any(map(is_plain, ["a\nb", "a\tb", "a\u202eb", "a\u2028b", "a\x1b[1m", "a\udc80"]))


bits = st.sampled_from(
    [
        "Ã",
        "â€™",
        "\u00c0\u0080",
        "\r",
        "\n",
        "\u202e",
        "\u200d",
        "`",
        "é",
        "\x85",
        "a ",
        "e\u0301",
        "\ufeff",
    ]
)


@given(st.one_of(st.text(), st.lists(bits).map("".join)))
@example("À\x80Â\x85\xed\xa0\x80")
def test_no_line_is_gained_or_lost(text: str):
    """The number of lines is that of the file, however its lines end and whatever is mended in
    them."""
    decoded = decode(text.encode("utf-8", "replace"), path="a.md").text
    if decoded is not None:
        assert decoded.count("\n") == len(re.findall(r"\r\n|\r|\n", text))


@given(
    st.one_of(st.binary(), st.binary().map(lambda data: b"<meta charset=gb18030>\n" + data)),
    st.sampled_from(["", "big5"]),
)
def test_any_bytes_give_clean_text_or_a_reason(data: bytes, configured: str):
    """Decoding raises nothing: there is text in normal form, all of it visible, or a problem that
    says why not."""
    decoded = decode(data, path="a.md", configured=configured)
    if decoded.text is None:
        assert decoded.problems
    else:
        assert unicodedata.is_normalized("NFC", decoded.text)
        assert all(is_plain(line.replace("\t", " ")) for line in decoded.text.split("\n"))
        decoded.text.encode()
