"""Formats that are not supported, by the suffixes of file names or the first characters of a text.

Without this list, they would be read as Markdown or plain text, and lines of code would be
published as terms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sitegen.model import ProblemKind, Trouble

CODE = "a glossary is read from documents and data, not from programs"
EXPORT = "export it as CSV, JSON or Markdown"
CONVERT = "convert it to SKOS, CSV or JSON"


@dataclass(frozen=True, slots=True)
class UnreadFormat:
    """A format that is not supported."""

    name: str
    suffixes: tuple[str, ...] = ()
    opening: re.Pattern[str] | None = None
    """Matches the beginning of a text in this format."""
    wanted: str = ""
    """The advice that problems give; empty for the known formats."""


ARCHIVE = UnreadFormat(
    "an archive",
    tuple(".zip .tar .gz .tgz .bz2 .tbz .tbz2 .xz .txz .zst .7z .rar .whl".split()),
    wanted="unpack it into a folder named after its release",
)
LATEX = UnreadFormat(
    "LaTeX",
    (".tex", ".ltx", ".latex"),
    re.compile(
        r"(?:\s|%.*\n)*\\(?:documentclass|usepackage|begin\{|(?:long)?newglossaryentry|newac|chapter|section)"
    ),
    "keep the terms as Markdown, YAML or CSV",
)
RELEASE_SUFFIXES = frozenset((*ARCHIVE.suffixes, *LATEX.suffixes))
"""Suffixes of files beside the folders of releases that are probably meant as releases."""
UNREAD = (
    UnreadFormat(
        "a pointer of Git LFS",
        (),
        re.compile("version https://git-lfs"),
        "keep the document itself in git",
    ),
    UnreadFormat("a Jupyter notebook", (".ipynb",), wanted="keep the glossary as Markdown"),
    ARCHIVE,
    LATEX,
    UnreadFormat("Org", (".org",), re.compile(r"\s*#\+\w+:"), "export it as Markdown or HTML"),
    UnreadFormat("MediaWiki", (".wiki", ".mediawiki"), wanted="export the page as HTML"),
    UnreadFormat("Textile", (".textile",), wanted="convert it to Markdown"),
    UnreadFormat(
        "Texinfo",
        (".texi", ".texinfo"),
        re.compile(r"\\input texinfo"),
        "write DocBook with makeinfo",
    ),
    UnreadFormat(
        "a manual page", (".roff", ".man", ".mdoc"), re.compile(r"\.(?:\\\"|TH |Dd )"), "write HTML"
    ),
    UnreadFormat("POD", (".pod",), re.compile(r"=(?:pod|head1)\b"), "pod2html writes HTML"),
    UnreadFormat("Typst", (".typ",)),
    UnreadFormat("RTF", (".rtf",), re.compile(r"\{\\rtf"), EXPORT),
    UnreadFormat("BibTeX", (".bib",)),
    UnreadFormat("a spreadsheet", (".xls", ".xlsx", ".ods", ".numbers"), wanted=EXPORT),
    UnreadFormat(
        "a word processor's file", (".doc", ".docx", ".odt", ".pages"), wanted="export it as HTML"
    ),
    UnreadFormat("PDF", (".pdf",), re.compile(r"%PDF-"), "read the document that it was made from"),
    UnreadFormat("TOML", (".toml",), wanted="YAML and JSON are read"),
    UnreadFormat(
        "a settings file", (".ini", ".cfg", ".properties", ".lock"), wanted="YAML and JSON are read"
    ),
    UnreadFormat(
        "a translation catalog",
        (".pot", ".xlf", ".xliff", ".tmx"),
        wanted=".po is read",
    ),
    UnreadFormat(
        "OBO",
        (".obo",),
        re.compile(r"(?:![^\n]*\n|\s)*format-version:|\[Term\]\s*\n", re.I),
        CONVERT,
    ),
    UnreadFormat(
        "TBX",
        (".tbx",),
        re.compile(r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<(?:martif|tbx)\b"),
        CONVERT,
    ),
    UnreadFormat("a style sheet", (".css", ".scss", ".sass", ".less"), wanted=CODE),
    UnreadFormat(
        "program code",
        tuple(
            """
            .c .cc .cpp .cs .go .h .hpp .java .jl .js .jsx .kt .lua .mjs .php .pl .proto .ps1 .py
            .r .rb .rs .scala .sh .sql .svelte .swift .ts .tsx .vue .xsl .xslt .graphql .gql
            """.split()
        ),
        re.compile(r"#!\s*/"),
        CODE,
    ),
    UnreadFormat("SVG", (".svg",), re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<svg\b"), CODE),
    UnreadFormat(
        "XML of a kind that is not known here",
        (".xml", ".xsd", ".dtd", ".rng", ".dita"),
        re.compile(
            r"\s*<\?xml\b(?![^>]*>\s*(?:<!--(?:(?!-->).)*+-->\s*)*+<(?:!doctype\s+html|html)\b)",
            re.I | re.S,
        ),
    ),
)


DOCUMENTS: dict[str, UnreadFormat] = {}
"""The suffixes of files that may contain a glossary, and their formats."""
for _format in UNREAD:
    if _format.wanted != CODE:
        DOCUMENTS.update(dict.fromkeys(_format.suffixes, _format))


def refusal(path: str) -> Trouble | None:
    """Returns the reason why a file with this suffix, such as `.pdf`, cannot be read; None for
    other suffixes."""
    for unread in UNREAD:
        # Without `wanted`, only the text decides: `.xml` may be DocBook.
        if unread.wanted and path.lower().endswith(unread.suffixes):
            found = f"this is {unread.name}, which is not read"
            return Trouble(ProblemKind.FORMAT, found, unread.wanted)
    return None
