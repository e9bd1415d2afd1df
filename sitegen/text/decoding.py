"""Decodes the bytes of a file to normalized text, and reports a problem for everything that had to
be repaired.

The character set is determined by a fixed rule and never guessed. The decoded text has the same
number of lines as the file, uses only "\\n" as line end, has no invisible characters, and is in
Unicode normal form C. So line numbers stay correct, and texts that look the same are equal.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitegen.model import Problem, ProblemKind, Trouble, and_more, digest, first_of
from sitegen.text.file_names import refusal
from sitegen.text.memo import memo

if TYPE_CHECKING:
    from lxml import etree  # slow to import

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
"""The maximum size of a file."""
MAX_REPAIRED = 10_000
"""The maximum length of a line that is repaired, in characters. Longer lines are not prose, and
repair is slow."""
LISTED = 5
"""The number of characters that a message lists."""

EMPTY = Trouble(
    ProblemKind.NO_TERMS, "the file is empty", "write the glossary into it, or leave it out"
)
NO_TEXT = Trouble(ProblemKind.FORMAT, "not a text file", "a glossary is text, at best in UTF-8")

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python's names for the character sets of the Encoding Standard (encoding.spec.whatwg.org). Other
# codecs are left out on purpose: some change the number of lines, some are very slow, some are not
# character sets.
CHARACTER_SETS = frozenset(
    """
    utf-8 cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10
    iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic cp874 cp1250
    cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 gbk gb18030 big5hkscs euc_jp cp932 cp949
    """.split()
)
# From the same standard: text that is declared as Latin-1 is decoded as windows-1252, which has
# more characters.
SAME_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gbk",
    "shift_jis": "cp932",
    "tis-620": "cp874",
    "utf-8-sig": "utf-8",
}

XML_ENCODING = rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([-\w.:]+)"""
HTML_CHARSET = rb"""(?i)<meta[^>]*?\bcharset\s*=\s*["']?\s*([-\w.:]+)"""

CONTROL = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
DIRECTION = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
NO_WIDTH = r"\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f"
JOINER = r"\u200c\u200d"
"""Joiners shape letters in Arabic, Indic scripts and emoji. Beside other characters they do
nothing, and count as invisible."""
JOINED = rf"[^\x00-\u058f{CONTROL}{DIRECTION}{NO_WIDTH}{JOINER}]"
"""A visible character from U+0590 on."""

INVISIBLE = (
    rf"\x1b\[[0-?]*[ -/]*[@-~]"  # a terminal escape sequence
    rf"|[{CONTROL}{DIRECTION}{NO_WIDTH}]"
    rf"|(?<!{JOINED})[{JOINER}]|[{JOINER}](?![{JOINER}]{{0,3}}{JOINED})"
)
"""Matches what is invisible in a text. It is compiled when it is first needed, as few texts
match."""
MAYBE_INVISIBLE = re.compile(f"[{CONTROL}{DIRECTION}{NO_WIDTH}{JOINER}]")
"""A fast test: a text without a match has no invisible characters."""

NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML does not allow; lxml refuses a text that has one."""
SEPARATORS = re.compile(r"[\v\f\x85\u2028\u2029]")
"""Characters that Python treats as line ends, but editors do not."""

BINARY = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters: rare in text, but about one in twelve characters of a binary file."""

DAMAGE = re.compile(r"[^\x00-\x7f](?:(?<=[\x80-\x9f])|[^\x00-\x7f])")
"""Matches every line in which UTF-8 was decoded with another character set, and few other lines."""
INLINE_CODE = r"(?<!`)(`++)[^`]++\1"


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """The text of a file, and the problems with its characters."""

    text: str | None
    """None when the file was refused."""
    digest: bytes = b""
    """A digest of the bytes."""
    problems: tuple[Problem, ...] = ()


def decode(data: bytes, *, path: str, configured: str = "") -> Decoded:
    """Returns the text of a file and the problems found in it; never raises.

    A byte order mark decides the character set. Without one, these are tried in order: the one
    that the file declares, UTF-8, and `configured`. The first in which all bytes are valid is used.
    If there is none, `_decode_any` picks one, and reports the first wrong byte.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        return refused(path, too_large(path, len(data)))

    text, wrong_bytes = _decode_any(data, path=path, configured=configured)
    if not text.strip():
        return refused(path, EMPTY)
    if _is_binary(text):
        return refused(path, refusal(path) or NO_TEXT)  # the format says more

    cleaned, damage = _repair_lines(with_newlines(text), path)
    cleaned, invisible = _remove_invisible(cleaned, path)
    normal = unicodedata.normalize("NFC", SEPARATORS.sub(" ", cleaned))
    return Decoded(text=normal, digest=digest(data), problems=(*wrong_bytes, *damage, *invisible))


def _is_binary(text: str) -> bool:
    """Returns whether a file is no text: it has NUL, or too many control characters."""
    return "\0" in text or len(BINARY.findall(text)) > len(text) / 20


def refused(path: str, trouble: Trouble) -> Decoded:
    """Returns the result for a file that has no text."""
    return Decoded(text=None, problems=(trouble.at(path),))


def too_large(path: str, size: int) -> Trouble:
    """Returns the reason why a file above the size limit is not read. If its format is never read,
    that is the reason."""
    return refusal(path) or Trouble(
        ProblemKind.LIMIT,
        f"the file has {size:,} bytes",
        f"at most {MAX_DOCUMENT_BYTES:,} are read; divide it",
    )


def character_set(label: str) -> str:
    """Returns Python's name for a character set, which can be given by any of its names. Returns an
    empty text if sitegen does not support it.

    >>> character_set("Latin-1"), character_set("UTF-7")
    ('cp1252', '')
    """
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return ""
    name = SAME_AS.get(name, name)
    if name not in CHARACTER_SETS:
        return ""
    return name


def visible(text: str) -> str:
    """Returns a text without invisible characters, which can come from entities such as `&shy;`.

    >>> visible("wa\\u00adter\\u200b")
    'water'
    """
    if not MAYBE_INVISIBLE.search(text):
        return text
    return re.sub(INVISIBLE, "", text)


def show_only_visible(tree: etree._Element) -> None:
    """Removes invisible characters from the attributes and texts of a tree."""
    for element in tree.iter():
        for name, value in element.items():
            # lxml takes the `{{…}}` of a template for a namespace.
            if "{" not in name:
                element.set(name, visible(str(value)))
    # Most trees have none in their texts; then no element is written.
    text = "".join(map(str, tree.itertext()))
    if visible(text) == text:
        return
    for element in tree.iter():
        element.text = visible(element.text or "")
        element.tail = visible(element.tail or "")


def is_plain(text: str) -> bool:
    """True if a text can be shown in one line: it has no line ends, tabs, surrogates or invisible
    characters. Names and paths must be plain."""
    if text.isprintable():
        return True
    if SEPARATORS.search(text) or re.search(r"[\t\n\r\ud800-\udfff]", text):
        return False
    return text == visible(text)


def with_newlines(text: str) -> str:
    """Returns a text whose only line ends are newlines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_any(data: bytes, *, path: str, configured: str) -> tuple[str, tuple[Problem, ...]]:
    """Decodes any bytes, and reports the first one that is not valid in the character set."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded_as(encoding, data.removeprefix(mark), path)

    # Use the first character set in which all bytes are valid.
    declared = _declared(data)
    for encoding in (declared, "utf-8", character_set(configured)):
        if encoding:
            with suppress(UnicodeDecodeError):
                return data.decode(encoding), ()

    if declared not in ("", "utf-8"):
        return _decoded_as(declared, data, path)
    # If the text is not UTF-8, every byte is read as windows-1252. Lines that are UTF-8 even so are
    # restored by `_repair_lines`.
    return _decoded_as("utf-8", data, path, fallback="windows-1252")


def _decoded_as(
    encoding: str, data: bytes, path: str, *, fallback: str = ""
) -> tuple[str, tuple[Problem, ...]]:
    """Decodes bytes in a character set. The first byte that is not valid is reported. All bytes are
    then decoded in the fallback, if there is one."""
    try:
        return data.decode(encoding), ()
    except UnicodeDecodeError as error:
        start = error.start
    found = f"byte 0x{data[start]:02X} is not {encoding.upper()}"
    if fallback:
        found += f"; read as {fallback}"
    line = with_newlines(data[:start].decode(encoding, "replace")).count("\n") + 1
    wanted = 'save the file as UTF-8, or say encoding = "…" in site.toml'
    problem = Trouble(ProblemKind.ENCODING, found, wanted).at(path, line=line)
    return data.decode(fallback or encoding, "replace"), (problem,)


def _declared(data: bytes) -> str:
    """Returns the character set that a file of XML or HTML declares, or an empty text.

    The one of `<?xml version="1.0" encoding="windows-1251"?>` is `cp1251`, as Python calls it.
    """
    start = data[:1024].lstrip()  # HTML must declare it in the first 1024 bytes
    if not start.startswith(b"<"):
        return ""
    match = re.match(XML_ENCODING, start) or re.search(HTML_CHARSET, start)
    if match is None:
        return ""
    return character_set(match[1].decode("ascii", "replace"))


def _repair_lines(text: str, path: str) -> tuple[str, tuple[Problem, ...]]:
    """Repairs UTF-8 that was decoded with another character set (`â€™`), line by line, and reports
    the first line that it has changed."""
    if text.isascii():
        return text, ()
    lines = text.split("\n")
    repaired: list[str] = []
    changed_lines: list[int] = []
    for number, line in enumerate(lines, start=1):
        new_line = line
        if len(line) <= MAX_REPAIRED and DAMAGE.search(line):
            new_line = _repair_line(line)
        if new_line != line:
            changed_lines.append(number)
        repaired.append(new_line)
    if not changed_lines:
        return text, ()

    first, *others = changed_lines
    found = "UTF-8 in the characters of another set, such as â€™, is repaired"
    trouble = Trouble(ProblemKind.ENCODING, found + and_more(others), "save the file as UTF-8")
    return "\n".join(repaired), (trouble.at(path, line=first),)


@memo
def _repair_line(line: str) -> str:
    """Repairs a line except in inline code, which may show examples of damaged text."""
    repaired = ""
    end_of_last_code = 0
    for code in re.finditer(INLINE_CODE, line):
        repaired += _repaired_text(line[end_of_last_code : code.start()]) + code[0]
        end_of_last_code = code.end()
    return repaired + _repaired_text(line[end_of_last_code:])


def _repaired_text(text: str) -> str:
    """Returns a text with its characters repaired: `it’s` for `itâ€™s`."""
    import ftfy  # Imported lazily: it is rarely needed, and slow to import.

    settings = ftfy.TextFixerConfig(
        unescape_html=False, restore_byte_a0=False, replace_lossy_sequences=False
    )
    repaired = ftfy.fix_encoding(text, settings)
    # A repair that produces control characters, replacement characters or surrogates is wrong.
    if re.search(rf"[{CONTROL}\r\n\ufffd\ud800-\udfff]", repaired):
        return text
    return repaired


def _remove_invisible(text: str, path: str) -> tuple[str, tuple[Problem, ...]]:
    """Removes invisible characters, and reports them by their code points, such as `U+200B`. Texts
    that differ by them look the same."""
    cleaned = visible(text)
    if cleaned == text:
        return text, ()
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        if re.search(INVISIBLE, line):
            lines.append(number)
    # A terminal escape sequence has several characters. Its first one stands for it.
    first_characters = {sequence[0] for sequence in re.findall(INVISIBLE, text)}
    code_points = sorted(f"U+{ord(character):04X}" for character in first_characters)
    listed = first_of(code_points, LISTED)
    found = f"invisible characters taken out: {listed}{and_more(lines[1:])}"
    problem = Trouble(ProblemKind.ENCODING, found).at(path, line=lines[0])
    return cleaned, (problem,)
