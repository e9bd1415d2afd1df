"""Shows the history of terms in Sphinx documentation, and finds terms by every name that they have
or had.

Everything is done when pages are written: reading a document, alone or in parallel, is left to
Sphinx. So documents are read again only if the glossary itself has changed, by a digest that is
kept in the environment. The glossary is loaded once for each build.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.nodes import make_refnode
from sphinx.util.osutil import relative_uri
from sphinx.util.typing import ExtensionMetadata

from sitegen import __version__
from sitegen.config import SITE_TOML
from sitegen.config.forges import is_address
from sitegen.integrations.glossary import Glossary, Match
from sitegen.integrations.loading import from_sources, is_built, load
from sitegen.integrations.published_terms import PublishedTerm
from sitegen.model import SitegenError, silent
from sitegen.site.compiled import templates_folder
from sitegen.text.names import fold
from sitegen.text.release_names import ordered

LOGGER = logging.getLogger(__name__)
CLASS = "glossary-term-"
"""The beginning of the class by which the script finds the term of an element."""
SCRIPT, DATA, STYLE = "sitegen-embed.js", "sitegen-terms.js", "sitegen.css"
CSS = """\
.sitegen-facts { font-size: .85em; opacity: .8; margin-block: .2em .6em }
.xref.std-term[class*="glossary-term-"] {
    text-decoration: underline dotted; text-underline-offset: .2em
}
"""
NO_GLOSSARY = (
    "sitegen_glossary is not set in conf.py; name the folder of site.toml, or a built site or its "
    "address"
)
NO_ADDRESS = (
    "terms of the glossary have no address to link to; set base_url in [site] of its site.toml"
)
DIGEST_LENGTH = 16
"""The number of characters of a digest of the glossary; it is also a part of an address."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Registers the extension."""
    # Sphinx compares types exactly, and a path is of a class for the system.
    app.add_config_value("sitegen_glossary", "", "env", (str, type(Path())))
    app.add_config_value("sitegen_release", "", "env", (str,))
    app.add_config_value("sitegen_cards", True, "html", (bool,))
    app.add_config_value("sitegen_output", "", "html", (str,))
    extension = _Extension()
    app.connect("builder-inited", extension.start)
    app.connect("env-get-outdated", extension.documents_to_read)
    app.connect("missing-reference", extension.resolve, priority=600)  # after intersphinx
    app.connect("doctree-resolved", extension.add_facts)
    _References.extension = extension  # Sphinx makes the transform from its class
    app.add_post_transform(_References)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class _Extension:
    """The extension in one build. Processes that read or write documents have a copy."""

    def __init__(self) -> None:
        self.glossary: Glossary | None = None
        self.digest = ""
        """The digest of all that pages show of the glossary."""
        self._defined: dict[str, tuple[str, str]] | None = None
        """The document and the id of each term that the documentation defines, by its folded name;
        None until `defined` is called."""
        self.site = ""
        """The folder of the whole site in the HTML output, if it is built there."""

    # The glossary.

    def start(self, app: Sphinx) -> None:
        """Loads the glossary. If it cannot be read, a warning says so, and the documentation is
        built without it."""
        place = str(app.config.sitegen_glossary)
        if not place:
            LOGGER.warning(NO_GLOSSARY, type="sitegen", subtype="glossary")
            return
        try:
            glossary = self._loaded(app, place)
            version = app.config.sitegen_release
            if version:
                glossary = glossary.as_of(_release_for(glossary, str(version)))
        except SitegenError as error:
            LOGGER.warning("%s", error, type="sitegen", subtype="glossary")
            return
        self.glossary = glossary

        # If something changes that pages show or link by, they are written again. Cards are shown
        # by a script.
        cards = {term.slug: [term.name, term.summary, term.standing] for term in glossary.terms}
        facts = []
        for term in glossary.terms:
            facts.append((term.milestones, term.url, term.names, term.former_names))
        shown = repr((cards, facts))
        self.digest = sha256(shown.encode(errors="replace")).hexdigest()[:DIGEST_LENGTH]

        if app.builder.format == "html":
            self._add_files(app, json.dumps(cards, ensure_ascii=False))

    def _loaded(self, app: Sphinx, place: str) -> Glossary:
        """Returns the glossary of an address, of a built site or its file, or of sources. With the
        setting `sitegen_output`, builds the site into the HTML output, and sets `site`."""
        # An EPUB has pages in HTML too, but no place for a site.
        is_website = app.builder.format == "html" and app.builder.name != "epub"
        is_site_wanted = app.config.sitegen_output and is_website

        folder = Path(app.confdir, place)
        has_sources = folder.is_dir() and not is_built(folder)
        if not has_sources:
            if is_site_wanted:
                wanted = "a folder with site.toml in sitegen_glossary"
                raise SitegenError(f"sitegen_output needs {wanted}")
            return load(place if is_address(place) else folder)

        if not (folder / SITE_TOML).exists():
            raise SitegenError(f"{folder}: has no site.toml; `sitegen init` writes one")
        if not is_site_wanted:
            return from_sources(folder)
        self.site = str(app.config.sitegen_output).strip("/")
        output = Path(app.outdir, self.site)
        _build(folder, output)
        return load(output)

    def _add_files(self, app: Sphinx, cards: str) -> None:
        """Writes the style, the script and the data of the cards, and adds them to all pages."""
        static = Path(app.outdir, "_static")
        static.mkdir(parents=True, exist_ok=True)
        contents = {STYLE: CSS}
        app.add_css_file(STYLE)
        if app.config.sitegen_cards:
            script = (templates_folder() / "assets/embed.js").read_text(encoding="utf-8")
            contents |= {SCRIPT: script, DATA: f"window.glossaryTerms = {cards};\n"}
            # With another digest in the address, browsers load the data again.
            attributes: dict[str, Any] = {"data-terms": f"{DATA}?{self.digest}"}
            app.add_js_file(SCRIPT, loading_method="defer", **attributes)
        for name, text in contents.items():
            (static / name).write_text(text, encoding="utf-8", errors="replace")

    def documents_to_read(
        self, app: Sphinx, env: BuildEnvironment, added: set[str], *changes: set[str]
    ) -> Sequence[str]:
        """Returns the documents to read again: all if the glossary has changed since the last
        build. Sphinx asks for them before it reads any. Warns of documents whose pages Sphinx will
        write into the folder of the whole site."""
        # Without a site, nothing can be in its folder; a builder of books also knows no pages yet.
        documents = sorted(env.found_docs) if self.site else ()
        for document in documents:
            page = app.builder.get_target_uri(document)
            if page.startswith(f"{self.site}/"):
                message = f"its page is in {self.site}, the sitegen_output; name another folder"
                LOGGER.warning(message, location=document, type="sitegen", subtype="glossary")
        self._defined = None  # reading documents may change what they define
        last_digest = getattr(env, "sitegen_digest", "")
        env.sitegen_digest = self.digest  # type: ignore[attr-defined]
        if last_digest == self.digest:
            return []
        return sorted(env.found_docs - added)  # added ones are read anyway

    # References.

    def defined(self, env: BuildEnvironment, name: str) -> tuple[str, str] | None:
        """Returns the document that defines a term with this name, and the id of the term there;
        None if the documentation does not define it."""
        if self._defined is None:
            self._defined = {}
            for term, _shown, kind, document, id, _priority in env.get_domain("std").get_objects():
                if kind == "term":
                    self._defined.setdefault(fold(term), (document, id))
        return self._defined.get(fold(name))

    def resolve(
        self,
        app: Sphinx,
        env: BuildEnvironment,
        node: addnodes.pending_xref,
        contnode: nodes.TextElement,
    ) -> nodes.reference | None:
        """Returns a link for a reference that Sphinx could not resolve, or None.

        If the documentation defines the term under another name, the link leads there, else to the
        page of the term on the site.
        """
        match = self.match(node)
        if match is None:
            return None
        document = node.get("refdoc", env.docname)
        # The documentation may still define it under the former name of the reference.
        names = [match.name, *[name.text for name in match.term.names]]
        for name in names:
            place = self.defined(env, name)
            if place:
                return make_refnode(app.builder, document, *place, contnode)
        address = self._address(app, match.term, document)
        if address:
            return nodes.reference("", "", contnode, internal=bool(self.site), refuri=address)
        # Sphinx itself warns of each such reference; the reason is given once.
        LOGGER.warning(NO_ADDRESS, location=node, type="sitegen", subtype="glossary", once=True)
        return None

    def match(self, node: addnodes.pending_xref) -> Match | None:
        """Returns the term that a reference `:term:` means; None if the glossary has no such term,
        or the reference is another one."""
        if self.glossary is None:
            return None
        is_term_role = node.get("refdomain") == "std" and node.get("reftype") == "term"
        if not is_term_role:
            return None
        # The author wants the term of another project: `:external+python:term:`.
        if node.get("inventory"):
            return None
        return self.glossary.find(node["reftarget"])

    def _address(self, app: Sphinx, term: PublishedTerm, document: str) -> str:
        """Returns the address of a term's page, for a link in a document. Relative if the site is a
        part of the HTML output; empty if the address of the site is not known."""
        if self.site:
            page = f"{self.site}/{term.page}index.html"
            return relative_uri(app.builder.get_target_uri(document), page)
        return term.url if term.glossary.base_url else ""

    # Entries.

    def add_facts(self, app: Sphinx, doctree: nodes.document, document: str) -> None:
        """Adds a line about the history of its term to each entry of the glossaries in a
        document."""
        for glossary in [*doctree.findall(addnodes.glossary)]:
            for item in _entry_nodes(glossary):
                term = self._term_of(item)
                if term and term.milestones and term.is_defined:
                    self._add_line(app, item, term, document)

    def _term_of(self, item: nodes.Element) -> PublishedTerm | None:
        """Returns the term that an entry defines, or None. Of several names of the entry, the first
        that is in force tells the term."""
        for name in item.findall(nodes.term):
            match = self.glossary.find(name.astext()) if self.glossary else None
            if match and match.kind in ("preferred", "synonym"):
                return match.term
        return None

    def _add_line(
        self, app: Sphinx, item: nodes.Element, term: PublishedTerm, document: str
    ) -> None:
        """Adds a line about the history of a term to the first definition of an entry."""
        line = nodes.paragraph("", " · ".join(term.milestones), classes=["sitegen-facts"])
        if address := self._address(app, term, document):
            target = f"{address}#history"
            history = nodes.reference("", "history", internal=bool(self.site), refuri=target)
            line += [nodes.Text(" · "), history]
        first_definition = next(iter(item.findall(nodes.definition)), None)
        if first_definition is not None:
            first_definition += line


class _References(SphinxPostTransform):
    """Marks the references to terms for the cards, and warns of names that are not in force."""

    default_priority = 5  # before references are resolved
    extension: ClassVar[_Extension]

    def run(self, **options: Any) -> None:
        """Warns of the outdated names of terms in references, and marks the references."""
        for node in self.document.findall(addnodes.pending_xref):
            match = self.extension.match(node)
            if match is None:
                continue
            # A name that the documentation itself defines is right there.
            if not self.extension.defined(self.env, node["reftarget"]):
                _warn_if_outdated(match, node)
            if self.config.sitegen_cards and isinstance(node[0], nodes.Element):
                node[0]["classes"].append(CLASS + match.term.slug)


def _warn_if_outdated(match: Match, node: nodes.Element) -> None:
    """Warns of a reference if its name should not be used. Users can suppress each kind of warning,
    as `sitegen.former`."""
    written = node["reftarget"]
    kind, message = str(match.kind), match.advice(written)
    if not match.term.is_defined:
        kind, message = "removed", f"“{written}”: {match.term.standing}"
    if message:
        LOGGER.warning("%s", message, location=node, type="sitegen", subtype=kind)


def _entry_nodes(glossary: nodes.Element) -> Iterator[nodes.definition_list_item]:
    """Yields the entries of a glossary. Definition lists inside a definition are not entries."""
    for definition_list in glossary.children:
        for item in definition_list.children:
            if isinstance(item, nodes.definition_list_item):
                yield item


def _build(folder: Path, output: Path) -> None:
    """Builds the whole site. The archive beside site.toml is read, and not written."""
    try:
        from sitegen.permanence.archive_file import archive_store_in
        from sitegen.pipeline.site_build import build
        from sitegen.sources.git.repositories import clones_here
    except ImportError:
        raise SitegenError("sitegen_output: sites are built on Linux and macOS only") from None
    store = archive_store_in(folder, purpose="preview")
    clones = clones_here(silent)
    output.parent.mkdir(parents=True, exist_ok=True)
    build(folder, output, notify=silent, clones=clones, archive_store=store)


def _release_for(glossary: Glossary, version: str) -> str:
    """Returns the release of the glossary for a version of the documentation: the same one, or the
    newest earlier one; if all are later, the version itself, for which `as_of` raises."""
    same_release = glossary.release_named(version)
    if same_release:
        return same_release
    in_order = ordered((*glossary.releases, version))
    position = in_order.index(version)
    if position == 0:
        return version
    return in_order[position - 1]
