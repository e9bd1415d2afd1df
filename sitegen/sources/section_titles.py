"""Finds the titles of sections and documents that `:ref:` and `:doc:` lead to without own words.

Sphinx shows the title of the section at a label, and that of a document. So a reference gets it as
its words, in the text of the document before that is parsed: `` :ref:`tools <label>` ``. Labels and
documents that are not in the release, such as those of other projects, are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import normpath

from sitegen.config.patterns import literal
from sitegen.formats.common.fences import without_front_matter
from sitegen.model import Document
from sitegen.sources.trees import TreeFiles
from sitegen.text.decoding import decode

MAX_SEARCHES = 5
"""The maximum number of releases of a source whose documents are all searched for labels."""
MAX_TITLE = 200
MAX_DOCUMENTS = 2_000
"""The maximum number of documents that a search reads."""
BARE_REFERENCE = re.compile(r"`(?<=[:{](?P<role>ref|doc)[:}]`)(?P<target>[^`<>\n]{1,200})`")
"""Matches the text of a role without a title: `` :ref:`tools` `` and `` {doc}`/tools` ``. It begins
with a sign, for which `re` can search fast."""
LABEL_LINE = re.compile(
    r"\n(?:\.\. _(?P<rst>`[^`\n]+`|[^`:\n][^:\n]*):|\((?P<myst>[^()\n]+)\)=)[ \t]*$", re.M
)
"""Matches `.. _tools:` and `(tools)=`, after a line end, for which `re` can search fast."""
LABELS_BETWEEN = re.compile(r"(?:[ \t]*\n|\.\. _[^\n]*:[ \t]*\n|\([^()\n]+\)=[ \t]*\n){0,20}")
"""Empty lines and other labels between a label and the title of its section."""
SECTION_TITLE = re.compile(
    r"#{1,6}[ \t]+(?P<marked>[^\n]+)"
    r"|(?:(?P<over>[=\-~^\"'#*+:.`_])(?P=over){2,}[ \t]*\n)?[ \t]*(?P<lined>\S[^\n]*)\n"
    r"(?P<under>[=\-~^\"'#*+:.`_])(?P=under){2,}[ \t]*(?=\n|\Z)"
)
"""Matches `# The tools`, and a title that is underlined, and perhaps overlined."""
FIRST_TITLE = re.compile(rf"\n(?!\.\. )(?:{SECTION_TITLE.pattern})")
"""Matches the title of a document. A directive may be right above the line over it."""
TITLE_ROLE = re.compile(
    r":[\w:+.-]+:`!?~?([^`<]*?)(?:\s*<[^`>]*>)?`|\{[\w:+.-]+\}`([^`<]*)(?:<[^`>]*>)?`"
)
"""Matches a role in a title, and its text: `` :mod:`shop.tools` ``."""
TITLE_MARKS = re.compile(r"``?|\*\*?|\\")
"""Matches the marks of emphasis and code."""
SPHINX_SUFFIXES = ("rst", "md", "txt")


class SectionTitles:
    """The titles of sections and documents in the documentation around the glossary of one source,
    from release to release."""

    def __init__(self) -> None:
        self._path_of: dict[str, str] = {}
        """The path of the document in which each label was last found."""
        self._title_of: dict[str, str] = {}
        """The title that was last found at each label, and of each document: the key is a slash and
        its path without a suffix."""
        self._not_found: set[str] = set()
        """The labels that were searched for, and not found."""
        self._searches_left = MAX_SEARCHES
        self._sections: dict[str | None, Mapping[str, str]] = {}
        """The titles in a document by their labels, and its own title by an empty label. The key is
        the id of the document's content."""

    def with_titles(self, document: Document, files: TreeFiles) -> Document:
        """Returns a document whose bare references show the titles of what they lead to: `:ref:`
        with `tools` becomes one with `The tools <tools>`."""
        references = [*BARE_REFERENCE.finditer(document.text)]
        if not references:
            return document
        labels = {_normalized(one["target"]) for one in references if one["role"] == "ref"}
        titles = self._titles(labels, document, files)

        def shown(match: re.Match[str]) -> str:
            """Returns a reference with its title, or as it is if there is none."""
            target = match["target"]
            if match["role"] == "doc":
                title = self._title_of_document(target, document, files)
            else:
                title = titles.get(_normalized(target))
            if not title:
                return match[0]
            return f"`{title} <{target}>`"

        return replace(document, text=BARE_REFERENCE.sub(shown, document.text))

    def _title_of_document(self, name: str, document: Document, files: TreeFiles) -> str | None:
        """Returns the title of the document that `:doc:` names: "/tools" is below the settings of
        Sphinx, "tools" beside `document`. None if there never was such a document."""
        folder = PurePosixPath(document.name).parent
        if name.startswith("/"):
            folder = _root(document, files)
        path = normpath(folder / name.lstrip("/"))
        for suffix in SPHINX_SUFFIXES:
            title = self._sections_of(f"{path}.{suffix}", files).get("")
            if title:
                self._title_of[f"/{path}"] = title
                return title
        # One that became a notebook, or that Sphinx makes now, keeps its last title.
        return self._title_of.get(f"/{path}")

    def _titles(self, labels: set[str], document: Document, files: TreeFiles) -> Mapping[str, str]:
        """Returns the titles at labels; labels without a title are left out."""
        to_search = set()
        for label in labels - self._not_found:
            title = None
            # Most labels are in the same document as at the release before.
            if label in self._path_of:
                title = self._sections_of(self._path_of[label], files).get(label)
            if title:
                self._title_of[label] = title
            else:
                to_search.add(label)
        # A label that is new, or was moved, may be in any document.
        if to_search and self._searches_left:
            self._searches_left -= 1
            self._search(to_search, document, files)
            self._not_found |= to_search - self._title_of.keys()
        # A label that is not found any more keeps its last title.
        return {label: self._title_of[label] for label in labels & self._title_of.keys()}

    def _search(self, labels: set[str], document: Document, files: TreeFiles) -> None:
        """Looks for labels in all documents of a release, and stores their titles and places."""
        for path in _documents(document, files):
            sections = self._sections_of(path, files)
            for label in labels & sections.keys():
                self._title_of[label] = sections[label]
                self._path_of[label] = path

    def _sections_of(self, path: str, files: TreeFiles) -> Mapping[str, str]:
        """Returns the titles of sections in a document by their labels, and its own title by an
        empty label. Most documents are the same in the next release, and are read once."""
        id = files.id(path)
        if id not in self._sections:
            self._sections[id] = _sections(files.read(path) or b"")
        return self._sections[id]


def _documents(document: Document, files: TreeFiles) -> Sequence[str]:
    """Returns the paths of the documents in the same documentation as a document, at most
    `MAX_DOCUMENTS`."""
    root = literal(str(_root(document, files)))
    paths: list[str] = []
    for suffix in SPHINX_SUFFIXES:
        paths += files.find(str(PurePosixPath(root, f"**/*.{suffix}")))
    return paths[:MAX_DOCUMENTS]


def _root(document: Document, files: TreeFiles) -> PurePosixPath:
    """Returns the folder with the settings of Sphinx above a document; else its own folder."""
    place = PurePosixPath(document.name)
    for parent in place.parents:
        if files.has(str(parent / "conf.py")):
            return parent
    return place.parent


def _normalized(label: str) -> str:
    """Returns a label in lower case, with single spaces."""
    return " ".join(label.lower().split())


def _sections(content: bytes) -> Mapping[str, str]:
    """Returns the titles of sections in a document by their labels. The document itself has the
    empty label.

    >>> _sections(b".. _tools:\\n\\nThe *tools*\\n-----------\\n")
    {'': 'The tools', 'tools': 'The tools'}
    """
    text = decode(content, path="").text
    if text is None:
        return {}
    # The patterns begin with a line end.
    text = "\n".join(["", *without_front_matter(text.split("\n"))])
    sections: dict[str, str] = {}
    first_title = FIRST_TITLE.search(text)
    if first_title:
        sections[""] = _words(first_title)
    for label in LABEL_LINE.finditer(text):
        # Several labels may be above one title.
        labels_between = LABELS_BETWEEN.match(text, label.end())
        assert labels_between  # an empty text matches too
        title = SECTION_TITLE.match(text, labels_between.end())
        if title is None:
            continue
        words = _words(title)
        if words:
            name = (label["rst"] or label["myst"]).strip("`")
            sections.setdefault(_normalized(name), words)
    return sections


def _words(match: re.Match[str]) -> str:
    """Returns a title that `SECTION_TITLE` matched, without markup; empty if it is too long, or has
    markup of another kind."""
    title = match["marked"] or match["lined"]
    if len(title) > MAX_TITLE:
        return ""
    # The first group is the text of a role of reStructuredText, the second that of MyST.
    without_roles = TITLE_ROLE.sub(lambda role: role[1] or role[2] or "", title)
    plain = TITLE_MARKS.sub("", without_roles).strip()
    has_markup = any(sign in plain for sign in "<>`|")
    if has_markup:
        return ""
    return plain
