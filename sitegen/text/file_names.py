"""The suffixes of documents, and which names files and folders can have on all common file
systems."""

from __future__ import annotations

import re

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
