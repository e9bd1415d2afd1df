"""Finds files of the same release that a document includes or links to: images, which the site
copies, and others.

The text is searched for possible addresses before it is parsed. After parsing, `located` replaces
the addresses in definitions: `image/NAME` is a file of the site, and `file:PATH` a file of the
repository, whose address depends on the release and is determined when a page is rendered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape, unescape
from urllib.parse import unquote

from sitegen.model import (
    Document,
    EntryText,
    Problem,
    ProblemKind,
    Reading,
    Release,
    Source,
    Trouble,
)
from sitegen.sources.included_files import IMAGE, resolved_paths, with_includes
from sitegen.sources.section_titles import SectionTitles
from sitegen.sources.trees import TreeFiles
from sitegen.text import images
from sitegen.text.file_names import DOCUMENT_SUFFIXES
from sitegen.text.memo import memo

MAX_IMAGES = 500
"""The maximum number of images of one source."""
MOST_NAMED = 3
"""The maximum number of links that are named in a problem."""
NO_FILE = ("there is no such file", "correct them, or set the source's docs_url")
NO_ADDRESS = (
    "the files have no address",
    "set the source's docs_url, or `repository` of the site",
)

TARGET_NAME = r"([^\s()<>\[\]\"'`#:?,|{}]+)"
"""Matches the path in a link, without the query and the anchor: `../tools.md` of
`../tools.md#saw`."""
TARGET_PATTERNS = (
    ("](", rf"\]\(<?{TARGET_NAME}(?=[\s)>#?])"),  # [saw](tools.md#saw)
    ("]:", rf"(?m)^ {{0,3}}\[[^\]\n]+\]:[ \t]*<?{TARGET_NAME}"),  # [saw]: tools.md
    ("src=", rf"src(?<!\wsrc)=[{{(\"']*(?:require\([\"'])?{TARGET_NAME}"),  # <img src="saw.png">
    ("href=", rf"href(?<!\whref)=[\"']?{TARGET_NAME}"),  # <a href="tools.html">
    ("image", rf"image(?<!\wimage)(?:::?|\}})[ \t]*{TARGET_NAME}"),  # .. image:: saw.png
    ("$", r"image::?((?:[\w.@-]+:){1,2}[a-z]+\$[^\s\[\]]+)"),  # image::shop:image$saw.png[]
    ("figure", rf"figure(?<!\wfigure)(?:::|\}})[ \t]*{TARGET_NAME}"),  # .. figure:: saw.png
    ("link:", rf"link(?<!\wlink):{TARGET_NAME}[#\[]"),  # link:tools.html[saw]
    (">`_", rf"<{TARGET_NAME}(?:#[^<>`\s]*)?>`_"),  # `saw <tools.html>`_
    (
        ".. _",
        rf"(?m)^[ \t]*\.\. _[^:\n]+:[ \t]+{TARGET_NAME}(?:[#?]\S*)?[ \t]*$",
    ),  # .. _saw: tools.html
    (":doc:", rf":doc:`+(?:[^`<]*<)?{TARGET_NAME}"),  # :doc:`saw <tools>`
    ("{doc}", rf"\{{doc\}}`+(?:[^`<]*<)?{TARGET_NAME}"),  # {doc}`saw <tools>`
    ("{", rf"\{{[<%]\s*(?:rel)?ref\s+[\"']?{TARGET_NAME}"),  # {{< ref "tools.md" >}}
    ("{% link", rf"\{{% link[ \t]+{TARGET_NAME}"),  # {% link tools.md %}
)
"""For each kind of address, a text that it always contains, its pattern, and an example.

Each pattern begins with literal letters, not with `\\b`, so that `re` can search for these first.
"""
ENDINGS = (
    "",
    *DOCUMENT_SUFFIXES,
    *[f"/index{suffix}" for suffix in DOCUMENT_SUFFIXES],
    "/README.md",
)
PAGE_ENDING = re.compile(r"(?:/index)?\.html?$|/$")
"""Matches what a link to a page has after the name of its file: `.html`, `/index.html` and `/`."""
FILE_LINK = re.compile(
    r'<a(?P<class>(?: class="image")?) '
    r'href="(?!term:|[a-z][a-z+.-]*://|mailto:|image/|file:|#)'
    r'(?P<role>(?:doc:)?)(?P<path>[^"#?]*)(?P<rest>[^"]*)"',
    re.I,
)
"""Matches `<a class="image" href="../tools.md#saw"`, but no address, anchor or reference to a term.
The link of a role begins with `doc:`."""


def with_linked_files(
    source: Source, files_of: Callable[[Release], TreeFiles], *, encoding: str = ""
) -> Source:
    """Returns a source whose documents have the files that they include and link to.

    `files_of` returns the files of a release. A document is not read if the disk fails while its
    files are looked for. A problem with an image at several releases is reported once.
    """
    linker = _Linker(encoding)
    releases = [linker.release(release, files_of(release)) for release in source.releases]
    pending = source.pending
    if pending:
        pending = linker.with_texts(pending, files_of(pending))
    problems = (*source.problems, *linker.problems.values())
    return replace(
        source,
        releases=tuple(releases),
        pending=pending,
        problems=problems,
        images=linker.images,
    )


@dataclass
class _Linker:
    """Finds the included and linked files of the documents of a source."""

    encoding: str
    images: dict[str, bytes] = field(default_factory=dict)
    """The images by their paths in the site."""
    problems: dict[str, Problem] = field(default_factory=dict)
    """The problems by what was found: several releases may have the same one."""
    titles: SectionTitles = field(default_factory=SectionTitles)

    def release(self, release: Release, files: TreeFiles) -> Release:
        """Returns a release whose documents have what they include, and the places of the files
        that they link to. A document is unread if the disk fails meanwhile."""
        own_names = [document.name for document in release.documents]
        documents = []
        unread = {**release.unread}
        for document in release.documents:
            try:
                whole = self._with_texts(document, files, own_names)
                documents.append(self._with_links(whole, files))
            except OSError as error:
                found = f"a file that it links to cannot be read: {error.strerror}"
                unread[document.name] = Trouble(ProblemKind.UNREADABLE, found)
                self._report(unread[document.name], document)
        return replace(release, documents=tuple(documents), unread=unread)

    def with_texts(self, release: Release, files: TreeFiles) -> Release:
        """Returns a release that is only compared: with all texts, and without links and images."""
        own_names = [document.name for document in release.documents]
        return release.with_each(lambda document: self._with_texts(document, files, own_names))

    def _with_texts(
        self, document: Document, files: TreeFiles, own_names: Sequence[str]
    ) -> Document:
        """Returns a document with the titles of sections, and with the texts that it includes."""
        titled = self.titles.with_titles(document, files)
        return with_includes(titled, files, own_names=own_names, encoding=self.encoding)

    def _with_links(self, document: Document, files: TreeFiles) -> Document:
        """Returns a document with the place of each file to which it links, by the link's target:
        `("../tools.md", "file:docs/tools.md")`."""
        texts = [document.text]
        for _, included in document.includes:
            texts.append(included)
        places: dict[str, str] = {}
        for target in _targets("\n".join(texts)):
            for path in _possible_paths(document.name, target):
                if files.has(path):
                    places[target] = self._place(path, target, document, files)
                    break
        return replace(document, files=tuple(places.items()))

    def _place(self, path: str, target: str, document: Document, files: TreeFiles) -> str:
        """Returns the place of a file. An image is added to those of the site; if it cannot be, its
        place is in the repository."""
        if IMAGE.search(path):
            try:
                return self._add_image(files.read(path))
            except images.ImageError as error:
                found = f"the image '{target}' is not copied: {error}"
                wanted = "its alternative text is shown instead"
                self._report(Trouble(ProblemKind.NOT_READ, found, wanted), document)
        return f"file:{path}"

    def _add_image(self, content: bytes | None) -> str:
        """Adds an image to those of the site and returns its path. Raises `ImageError`."""
        if content is None:
            raise images.ImageError("it cannot be read")
        suffix, content = images.checked(content)
        path = f"image/{sha256(content).hexdigest()[:20]}.{suffix}"
        if path not in self.images and len(self.images) >= MAX_IMAGES:
            raise images.ImageError(f"the source has more than {MAX_IMAGES} images")
        self.images[path] = content
        return path

    def _report(self, trouble: Trouble, document: Document) -> None:
        """Adds a problem of a document, unless the same was found before."""
        self.problems.setdefault(trouble.found, trouble.at(document.path))


def _possible_paths(name: str, target: str) -> Iterator[str]:
    """Yields the paths that a link in the document `name` may mean, the most likely first. Site
    generators let authors leave out the suffix, or write that of the built page.

    >>> [*_possible_paths("docs/words.md", "tools.html")][:3]
    ['docs/tools.html', 'docs/tools', 'docs/tools.md']
    """
    for path in resolved_paths(name, target):
        page = PAGE_ENDING.sub("", path)
        if not page:  # nothing but the ending
            continue
        yield path
        for ending in ENDINGS:
            yield page + ending


@memo
def _targets(text: str) -> tuple[str, ...]:
    """Returns the possible addresses of files in a text.

    >>> _targets("A [saw](tools.md#saw): ![](img/saw.png)")
    ('tools.md', 'img/saw.png')
    """
    targets: list[str] = []
    for sign, pattern in TARGET_PATTERNS:
        if sign in text:
            targets += re.findall(pattern, text)
    return tuple(dict.fromkeys(map(unquote, targets)))


def located(reading: Reading, document: Document) -> Reading:
    """Returns a reading with links and images that lead to the files of the document. Those that
    lead to none are shown as text, with a problem."""
    places = dict(document.files)
    line_of_dead: dict[str, int] = {}
    entries = []
    for entry in reading.entries:
        new_links, dead_links = _located_links(entry.definition.html, places)
        if new_links:
            new_text = _with_new_links(entry.text, tuple(new_links.items()))
            entry = entry._replace(text=new_text)
        for href in dead_links:
            line_of_dead.setdefault(href, entry.line)
        entries.append(entry)
    problems = (*reading.problems, *_dead_link_problems(line_of_dead, document))
    return replace(reading, entries=tuple(entries), problems=problems)


def _dead_link_problems(line_of_dead: Mapping[str, int], document: Document) -> Iterator[Problem]:
    """Yields a problem for all links to files that do not exist, and one for all links to files
    that have no address. `line_of_dead` has the targets of both, with the lines of their links."""
    places = dict(document.files)
    missing, existing = [], []
    for href in line_of_dead:
        if document.has_pages and not IMAGE.search(href):
            continue  # it may lead to a page below `docs_url`
        path = re.split("[?#]", href, maxsplit=1)[0]
        if path in places:  # with an empty place: the file has no address
            existing.append(href)
        else:
            missing.append(href)
    for hrefs, reason, wanted in ((missing, *NO_FILE), (existing, *NO_ADDRESS)):
        if hrefs:
            names = [f"'{href}'" for href in hrefs]
            if len(names) > MOST_NAMED:
                # Without a number, documents of several releases have the same problem.
                names[MOST_NAMED:] = ["…"]
            found = f"links to {', '.join(names)} are shown as text: {reason}"
            trouble = Trouble(ProblemKind.MISSING, found, wanted)
            yield trouble.at(document.path, line=line_of_dead[hrefs[0]])


def _located_links(html: str, places: Mapping[str, str]) -> tuple[Mapping[str, str], Sequence[str]]:
    """Returns the links in HTML to files with a place, each with what replaces it:
    `{'<a href="tools.md"': '<a href="file:docs/tools.md"'}`. Also returns the targets of the links
    to files without a place. An image is a link too."""
    new_links: dict[str, str] = {}
    dead = []
    for link in _links(html):
        path = unquote(unescape(link["path"]))
        place = places.get(path, "")
        if path.startswith("//"):  # a web address without its scheme
            place = f"https:{path}"
        if place:
            new_links[link[0]] = f'<a{link["class"]} href="{escape(place)}{link["rest"]}"'
        # `:doc:` without a target is shown as text without a problem, as `:ref:` always is.
        elif not link["role"]:
            dead.append(path + unescape(link["rest"]))
    return new_links, dead


@memo
def _links(html: str) -> tuple[re.Match[str], ...]:
    """Returns the links and images that lead to files."""
    return tuple(FILE_LINK.finditer(html))


@memo
def _with_new_links(text: EntryText, new_links: tuple[tuple[str, str], ...]) -> EntryText:
    """Returns the content of an entry with its new links."""
    html = text.definition.html
    for old, new in new_links:
        html = html.replace(old, new)
    return replace(text, definition=replace(text.definition, html=html))
