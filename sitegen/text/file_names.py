"""The names of files: the suffixes of documents, and of formats that are not supported, and the
names that files and folders can have on all common file systems."""

from __future__ import annotations

import re
from typing import NamedTuple

from sitegen.model import ProblemKind, Trouble

MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown", ".qmd", ".rmd")
RST_SUFFIXES = (".rst", ".rest")
ASCIIDOC_SUFFIXES = (".adoc", ".asciidoc", ".asc")
HTML_SUFFIXES = (".html", ".htm")
DOCUMENT_SUFFIXES = (*MARKDOWN_SUFFIXES, *RST_SUFFIXES, *ASCIIDOC_SUFFIXES, ".txt", *HTML_SUFFIXES)
"""Suffixes of files with text for readers, in lower case; not those of data."""
INDEX_STEMS = ("index", "_index")
"""Names of the file that stands for its folder, without suffix."""

NAME_LIMIT = 255
"""The maximum length of a file name in bytes on common file systems."""

_UNFIT = re.compile(r'[\x00-\x1f\x7f\ud800-\udfff\\:*?"<>|]|[. ]$')
# Windows treats these names as devices, with any extension.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)


def is_portable_name(name: str) -> bool:
    """True if a file or folder can have this name on all common file systems."""
    if name in {"", ".", ".."} or len(name.encode(errors="surrogatepass")) > NAME_LIMIT:
        return False
    return not _UNFIT.search(name) and not _DEVICE.fullmatch(name)


# Formats that are not supported, by suffix or by the beginning of the text. Without this list, such
# files would be read as Markdown or plain text, and lines of code would be published as terms.

_ROOT_OF_PAGE = r"(?:<!--(?:(?!-->).)*+-->\s*)*+<(?:!doctype\s+html|html)\b"
HTML_PAGE = re.compile(rf"\s*(?:<\?xml\b[^>]*>\s*)?{_ROOT_OF_PAGE}", re.I | re.S)
"""The beginning of a whole page of HTML."""
CODE = "a glossary is read from documents and data, not from programs"
EXPORT = "export it as CSV, JSON or Markdown"
CONVERT = "convert it to SKOS, CSV or JSON"


class UnreadFormat(NamedTuple):
    """A format that is not supported."""

    name: str
    endings: str = ""
    """Its suffixes, separated by spaces."""
    opening: str = ""
    """A regular expression for the beginning of a text in this format."""
    wanted: str = ""
    """The advice that problems give."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(self.endings.split())


ARCHIVE = UnreadFormat(
    "an archive",
    ".zip .tar .gz .tgz .bz2 .tbz .tbz2 .xz .txz .zst .7z .rar .whl",
    wanted="unpack it into a folder named after its release",
)
LATEX = UnreadFormat(
    "LaTeX",
    ".tex .ltx .latex",
    r"(?:\s|%.*\n)*\\(?:documentclass|usepackage|begin\{|(?:long)?newglossaryentry|newac|chapter|section)",
    "keep the terms as Markdown, YAML or CSV",
)
RELEASE_SUFFIXES = frozenset((*ARCHIVE.suffixes, *LATEX.suffixes))
"""Suffixes of files beside the folders of releases that are probably meant as releases."""
UNREAD = (
    UnreadFormat(
        "a pointer of Git LFS",
        opening="version https://git-lfs",
        wanted="keep the document itself in git",
    ),
    UnreadFormat("a Jupyter notebook", ".ipynb", wanted="keep the glossary as Markdown"),
    ARCHIVE,
    LATEX,
    UnreadFormat("Org", ".org", r"\s*#\+\w+:", "export it as Markdown or HTML"),
    UnreadFormat("MediaWiki", ".wiki .mediawiki", wanted="export the page as HTML"),
    UnreadFormat("Textile", ".textile", wanted="convert it to Markdown"),
    UnreadFormat(
        "Texinfo",
        ".texi .texinfo",
        r"\\input texinfo",
        "write DocBook with makeinfo",
    ),
    UnreadFormat("a manual page", ".roff .man .mdoc", r"\.(?:\\\"|TH |Dd )", "write HTML"),
    UnreadFormat("POD", ".pod", r"=(?:pod|head1)\b", "pod2html writes HTML"),
    UnreadFormat("Typst", ".typ"),
    UnreadFormat("RTF", ".rtf", r"\{\\rtf", EXPORT),
    UnreadFormat("BibTeX", ".bib"),
    UnreadFormat("a spreadsheet", ".xls .xlsx .ods .numbers", wanted=EXPORT),
    UnreadFormat("a word processor's file", ".doc .docx .odt .pages", wanted="export it as HTML"),
    UnreadFormat("PDF", ".pdf", r"%PDF-", "read the document that it was made from"),
    UnreadFormat("TOML", ".toml", wanted="YAML and JSON are read"),
    UnreadFormat("a settings file", ".ini .cfg .properties .lock", wanted="YAML and JSON are read"),
    UnreadFormat(
        "a translation catalog",
        ".pot .xlf .xliff .tmx",
        wanted=".po is read",
    ),
    UnreadFormat(
        "OBO",
        ".obo",
        r"(?i)(?:![^\n]*\n|\s)*format-version:|\[Term\]\s*\n",
        CONVERT,
    ),
    UnreadFormat(
        "TBX",
        ".tbx",
        r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<(?:martif|tbx)\b",
        CONVERT,
    ),
    UnreadFormat("a style sheet", ".css .scss .sass .less", wanted=CODE),
    UnreadFormat(
        "program code",
        """
        .c .cc .cpp .cs .go .h .hpp .java .jl .js .jsx .kt .lua .mjs .php .pl .proto .ps1 .py .r
        .rb .rs .scala .sh .sql .svelte .swift .ts .tsx .vue .xsl .xslt .graphql .gql
        """,
        r"#!\s*/",
        CODE,
    ),
    UnreadFormat("SVG", ".svg", r"\s*(?:<\?xml[^>]*>\s*)?<svg\b", CODE),
    UnreadFormat(
        "XML of a kind that is not known here",
        ".xml .xsd .dtd .rng .dita",
        rf"(?is)\s*<\?xml\b(?![^>]*>\s*{_ROOT_OF_PAGE})",
    ),
)


UNREAD_DOCUMENTS: dict[str, UnreadFormat] = {}
"""The suffixes of files that may contain a glossary, and their formats."""
for _format in UNREAD:
    if _format.wanted != CODE:
        UNREAD_DOCUMENTS.update(dict.fromkeys(_format.suffixes, _format))


def refusal(path: str) -> Trouble | None:
    """Returns why a file is not read if its suffix is that of an unread format, such as `.pdf`;
    else None."""
    for unread in UNREAD:
        # Without `wanted`, only the text decides: `.xml` may be DocBook.
        if unread.wanted and path.lower().endswith(unread.suffixes):
            found = f"this is {unread.name}, which is not read"
            return Trouble(ProblemKind.FORMAT, found, unread.wanted)
    return None
