"""The table of formats of glossaries, and the detection of a document's format.

A file with a suffix of one format (`.yml`, `.adoc`) is read in that format. For other files, the
content decides: the first format in `FORMATS` whose `looks_like(document)` is true reads the
document with `parse(document)`. A format does not depend on other formats, releases or pages, and
raises only `UnreadableError`.

A file in an unsupported format (`text.file_names`) is one problem, and is never read as
Markdown or text.

To add a format, add a module here, a row in `FORMATS`, and a case file in `tests/formats/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import chain

from sitegen.formats.common.fences import MARKDOWN, MYST_GLOSSARY
from sitegen.model import Document, ProblemKind, Reading, UnreadableError
from sitegen.text.file_names import ASCIIDOC_SUFFIXES, UNREAD, UnreadFormat, refusal
from sitegen.text.memo import memo

NEVER = re.compile(r"(?!)").match
"""The `sign` of formats that are detected only by a file's name, or named in site.toml."""
ASCIIDOC_OPENING = re.compile(
    r"(?:[ \t]*+(?://[^\n]*+)?\n)*+(?:= \S|\[\[\w[^\]\n]*\]\]\S[^\n]*::[ \t]*(?:\n|\Z))"
)
"""A title, `= Words`, or a label with an anchor, `[[jig]]Jig::`, below comments or blank lines."""
ASCIIDOC_GLOSSARY = re.compile(r"^\[glossary\]\s*$", re.M)
ASCIIDOC_LABEL = re.compile(r"^(?:\[\[[^\]\n]*\]\])?[^\W_][^\n]*[^\s:]::[ \t]*\n[ \t]+\S", re.M)
"""A label above an indented text."""
MIN_LABELS = 3
"""The minimum number of such labels in AsciiDoc without a title."""
TAG_OPENING = re.compile(r"\s*<")
HTML_OPENING = re.compile(r"(?:---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*\n)?\s*<")
"""A tag, also below front matter."""
DOCBOOK = re.compile(r"<(?:\w+:)?(?:glossary|glosslist|glossentry)\b")
RDF_OPENING = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\s|\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*+-->\s*)*+<rdf:RDF\b",
    re.S,
)
JSON_LD = re.compile(r'"@(?:context|graph)"\s*:')
SKOS = "www.w3.org/2004/02/skos"
KNOWN_XML = re.compile(r"<(?:\w+:)?(?:glossary|glosslist|glossentry|RDF)\b")
"""Matches elements of the XML formats that are supported."""
INCLUDE = r"(?m)^[ \t]*(?:\.\. +include::[ \t]+(\S+)|include::([^\[\s{]+)\[)"
CONFLICT = re.compile(r"^<{7} .*^={7}$.*^>{7} ", re.M | re.S)
"""Matches an unresolved merge conflict."""


@dataclass(frozen=True)
class Format:
    name: str
    module: str
    """The name of a module. The module is imported for the first document that may be in the
    format, as parsers are large."""
    sign: Callable[[str], object] | None = None
    """A fast test: false for texts that cannot be in the format. None if there is no such test."""
    suffixes: tuple[str, ...] = ()
    """File suffixes that no other format has."""

    def looks_like(self, document: Document) -> bool:
        """Returns whether the content is in the format: it has the `sign`, and the module agrees if
        it has a function `looks_like`."""
        if self.sign and not self.sign(document.text):
            return False
        module = import_module(self.module)
        if hasattr(module, "looks_like"):
            return bool(module.looks_like(document))
        return True

    def parse(self, document: Document) -> Reading:
        reading: Reading = import_module(self.module).parse(document)
        return reading


def _is_asciidoc(text: str) -> bool:
    """Returns whether a text without Markdown opens as AsciiDoc does, or has its labels or a
    `[glossary]`."""
    if MARKDOWN.search(f"\n{text}"):  # the pattern begins with a line end
        return False
    if "[glossary]" in text and ASCIIDOC_GLOSSARY.search(text):
        return True
    if ASCIIDOC_OPENING.match(text):
        return True
    return "::" in text and len(ASCIIDOC_LABEL.findall(text)) >= MIN_LABELS


FORMATS = (
    Format("yaml", "sitegen.formats.records", NEVER, (".yaml", ".yml")),
    Format("json", "sitegen.formats.records", NEVER, (".json", ".geojson")),
    Format("table", "sitegen.formats.records.csv_tables", NEVER, (".csv", ".tsv", ".tab")),
    Format("asciidoc", "sitegen.formats.asciidoc", _is_asciidoc, ASCIIDOC_SUFFIXES),
    Format(
        "docbook",
        "sitegen.formats.docbook",
        lambda text: TAG_OPENING.match(text) and DOCBOOK.search(text),
        (".dbk", ".docbook", ".sgml"),
    ),
    Format(
        "skos",
        "sitegen.formats.skos",
        RDF_OPENING.match,
        (".ttl", ".nt", ".rdf", ".owl", ".jsonld", ".skos"),
    ),
    Format("gettext", "sitegen.formats.gettext", NEVER, (".po",)),
    Format("sphinx", "sitegen.formats.rst"),
    Format("myst", "sitegen.formats.myst", lambda text: "{" in text and MYST_GLOSSARY.search(text)),
    Format("html", "sitegen.formats.html", HTML_OPENING.match),
    Format("markdown", "sitegen.formats.markdown.reader"),
    Format("page", "sitegen.formats.markdown.reader", NEVER),
    Format("text", "sitegen.formats.plain_text"),
)
"""In order of precedence: the first format that recognizes a document reads it."""
FORMATS_BY_NAME = {format.name: format for format in FORMATS}


def names() -> tuple[str, ...]:
    """Returns the names of all formats."""
    return tuple(FORMATS_BY_NAME)


def suffixes() -> tuple[str, ...]:
    """Returns all suffixes by which a format is recognized."""
    return tuple(chain.from_iterable(format.suffixes for format in FORMATS))


def included(text: str) -> tuple[str, ...]:
    """Returns the targets of the include directives in a text, of reStructuredText and AsciiDoc.

    >>> included(".. include:: saws.txt"), included("include::saws.adoc[]")
    (('saws.txt',), ('saws.adoc',))
    """
    if "include::" not in text:
        return ()
    targets = re.findall(INCLUDE, text)
    return tuple(dict.fromkeys([first or second for first, second in targets]))


@memo
def read(document: Document) -> Reading:
    """Returns the entries of a document and its problems. A document that cannot be read is one
    problem."""
    try:
        return _parse_in_format(document)
    except UnreadableError as error:
        return Reading(problems=(error.problem(document.path),))


def _parse_in_format(document: Document) -> Reading:
    """Returns the reading of a document in its format. Raises UnreadableError."""
    text = document.text
    if "\n>>>>>>> " in text and (conflict := CONFLICT.search(text)):
        line = text.count("\n", 0, conflict.start()) + 1
        wanted = "resolve it; this release is a gap"
        raise UnreadableError("a merge conflict that was committed", wanted, line=line)
    if format := recognize(document):
        return format.parse(document)
    wanted = f"known formats: {', '.join(names())}"
    if unread := unread_format(document):
        found = f"this is {unread.name}, which is not read"
        raise UnreadableError(found, unread.wanted or wanted, kind=ProblemKind.FORMAT)
    raise UnreadableError("no glossary recognized here", wanted, kind=ProblemKind.NO_TERMS)


def recognize(document: Document) -> Format | None:
    """Returns the configured format of a document, or that of its suffix (`asciidoc` for
    `words.adoc`), or the first that recognizes its content. Returns None if the format is
    unsupported, or if no format recognizes the content.

    Raises TooMuchWorkError for a document above the limits of a format that tries to recognize it.
    """
    if document.format and not _is_beside_pages(document):
        return FORMATS_BY_NAME.get(document.format)
    if format := _of_suffix(document):
        return format
    if unread_format(document):  # Markdown and text would recognize almost anything
        return None
    for format in FORMATS:
        if format.looks_like(document):
            return format
    return None


def _is_beside_pages(document: Document) -> bool:
    """Returns whether a file is in a folder of pages (`format = "page"`), but is data
    (`words.yaml`) or a program (`words.py`) by its suffix."""
    if document.format != "page":
        return False
    format = _of_suffix(document)
    is_data = format is not None and format.name != "asciidoc"  # a page may be AsciiDoc
    return is_data or refusal(document.name) is not None


def _of_suffix(document: Document) -> Format | None:
    """Returns the format of a document's suffix. JSON that is SKOS has that format."""
    name = document.name.lower()
    for format in FORMATS:
        if not name.endswith(format.suffixes):
            continue
        if format.name == "json" and SKOS in document.text and JSON_LD.search(document.text):
            return FORMATS_BY_NAME["skos"]
        return format
    return None


def unread_format(document: Document) -> UnreadFormat | None:
    """Returns the unsupported format of a document, by its suffix or how it begins; None for other
    documents."""
    name = document.name.lower()
    for unread in UNREAD:
        begins_like_it = unread.opening and re.match(unread.opening, document.text)
        if begins_like_it or name.endswith(unread.suffixes):
            # DocBook and RDF are XML that is read.
            is_known = ".xml" in unread.suffixes and KNOWN_XML.search(document.text)
            return None if is_known else unread
    return None
