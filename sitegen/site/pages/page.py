"""`Page`, a page before rendering; and `Writer`, which writes the sentences of one page, with links
that are relative to its address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import count

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.config.forges import line_link
from sitegen.model import Entry, Prose, Release, SitePart, Source
from sitegen.model.terms import Life, Revision
from sitegen.site.definitions import definition_html, link_addresses
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.summary import summary
from sitegen.text.words import is_unspaced

SEPARATOR = Markup(" · ")
DESCRIPTION_BYTES = 300
"""Maximum length of the description of a term's page."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """The template of a page, and its values."""

    address: str
    template: str
    title: str
    """The title of the page, without that of the site. As in a description, markup is taken off."""
    description: str = ""
    canonical: str | None = None
    """The canonical address of this page's content; None if that is the page itself."""
    standing: str = ""
    """The status of the term, in plain words; empty for pages of other kinds."""
    structured_data: Mapping[str, object] | None = None
    """The structured data of the page, in the vocabulary of schema.org."""
    context: Mapping[str, object] = field(default_factory=dict)


def page_part(address: str, make: Callable[[], Page]) -> SitePart[Page]:
    """Returns the part of the site with one page."""
    return SitePart(prefixes=(urls.path(address),), make=lambda: [make()])


def file_name(name: str) -> Markup:
    """Returns the name of a file as part of a sentence."""
    return Markup(f"<code>{escape(name)}</code>")  # noqa: S704


def anchor_elements(ids: Iterable[str]) -> Markup:
    """Returns empty elements for ids that links lead to."""
    return Markup("".join([f'<span class="anchor" id="{escape(id)}"></span>' for id in ids]))  # noqa: S704


class Writer:
    """Writes the sentences of a page."""

    def __init__(self, site: Site, address: str, *, root: str = "") -> None:
        self.site = site
        self.address = address
        """The address of the page, or of any page at its depth."""
        self.root = root or urls.root(address)
        """The relative path from the page to the site's root."""
        self.words = site.words

        # Every sentence is written with these methods, so they have short names here.
        self.say = self.words.say
        self.text = self.words.text
        self.listed = self.words.listed
        self.version = self.words.version
        self.version_of = self.words.version_of

    def link(self, text: str, address: str) -> Markup:
        """Returns a link. Text that is not `Markup` is escaped."""
        page, _, anchor = address.partition("#")
        is_on_this_page = bool(anchor) and page == self.address
        href = f"#{anchor}" if is_on_this_page else self.href(address)
        return Markup(f'<a href="{escape(href)}">{self.text(text)}</a>')  # noqa: S704  (asked for very often)

    def href(self, address: str) -> str:
        return urls.link(address, self.root)

    def term(self, key: str) -> Markup:
        return self.link(self.site.by_key[key].name, self.site.address(key))

    def onward(self, key: str) -> Markup:
        """Returns a link to the term that replaces the page's term."""
        return Markup("<strong>{}</strong>").format(self.term(key))

    def section(self, life: Life) -> Markup:
        """Returns a link to the section of a term, or to the one in which a removed term was; empty
        if it has none, or if no term is in the section now."""
        section = self.site.headings.get(life.key, life.entry.section)
        if urls.section_key(section) not in self.site.sections:
            return Markup()
        return self.link(section, urls.section(section))

    def releases_of(self, revision: Revision) -> Markup:
        """Returns the releases of a wording, such as "1.5.0 to 1.9.1" or "1.10.0 and later"."""
        if revision.is_in_force:
            return self.say("release.onwards", release=self.version(revision.first))
        return self.words.span(revision.first, revision.last)

    def versions(self, releases: Iterable[str]) -> Markup:
        return self.words.joined(map(self.version, releases))

    def release(self, release: str) -> Markup:
        return self.link(self.version(release), urls.release(release))

    def all_changes(self, release: str) -> Markup:
        """Returns a link to the page of a release, with the title of the page."""
        return self.link(self.release_title(release), urls.release(release))

    def release_title(self, release: str) -> Markup:
        """Returns the title of the page of a release. A release that only added terms, and one with
        which reading began, have titles of their own."""
        kinds: set[str] = set()
        for source, _ in self.site.by_release[release]:
            changes = self.site.changes.get((source.id, release), ())
            kinds.update([change.kind for change in changes])
        if kinds == {"added"}:
            key = "release.title-added"
        elif kinds == {"first-read"}:
            key = "release.title-first"
        else:
            key = "release.title"
        return self.say(key, release=self.version(release))

    def date(self, source: str, release: str) -> Markup:
        """Returns the date of a release; empty if it is unknown, or if the name of the release is a
        date, a month or a year."""
        facts = self.site.release_of[source, release]
        if facts.date is None:
            return Markup()
        is_named_by_date = facts.dated or facts.date.isoformat() == release
        return Markup() if is_named_by_date else self.words.date(facts.date)

    def date_in_list(self, source: Source, release: Release) -> Markup:
        """Returns the date of a release for a list of the releases of its source. If only other
        releases have a date, it says that this one is unknown."""
        is_unknown = release.date is None and not release.unreleased
        if is_unknown and any(self.date(source.id, one.name) for one in source.releases):
            return Markup('<span class="muted">{}</span>').format(self.say("date.unknown"))
        return self.date(source.id, release.name)

    def place(self, entry: Entry) -> Markup:
        """Returns the file and line of an entry, as a link if the source is on a known forge. An
        entry of the archive has no line."""
        place = entry.place
        line = entry.line
        if not line:
            return self.text(file_name(place.name))
        file_and_line = self.say("event.place", path=file_name(place.name), line=line)
        line_pattern = self.site.release_of[place.source, place.release].line_pattern
        if not line_pattern:
            return file_and_line
        address = escape(line_link(line_pattern, path=place.name, line=line))
        return Markup(f'<a href="{address}">{file_and_line}</a>')  # noqa: S704

    def edit_address(self, entry: Entry) -> str:
        """Returns the address for editing an entry's file; empty if the file is not in the site's
        own repository."""
        place = entry.place
        repository = self.site.repository
        if repository is None:
            return ""

        # The newest entry of a translation may be of a commit that is no release.
        release = self.site.release_of.get((place.source, place.release))
        if release and release.line_pattern.startswith(f"{repository.web.base}/"):
            return repository.edit(place.name)  # a commit of the site's own repository

        # The path of a file in a commit is "tag:name". A commit that is no release of the site's
        # own repository may be of another one.
        is_in_commit = place.path.endswith(f":{place.name}")
        if is_in_commit:
            return ""
        return repository.edit(repository.folder + place.path)  # a file beside site.toml

    def defined_in(self, entry: Entry) -> Markup:
        """Returns a sentence with the source, release and place of an entry."""
        title = self.site.source_title(entry.place.source)
        place = self.place(entry)
        if not entry.place.release:
            return self.say("defined-in-undated", source=title, place=place)
        release = self.release(entry.place.release)
        return self.say("defined-in", source=title, release=release, place=place)

    def definition(self, entry: Entry, *, of: str, release: str = "") -> Markup:
        """Returns an entry's definition for the page of the term `of`. Links lead to what other
        terms meant at `release`, by default the release of the entry. The term `of` itself is not
        linked."""
        place = entry.place

        def link_to_term(key: str) -> str | None:
            if key == of:
                return None
            return self.href(self.site.address_at(key, place.source, release or place.release))

        addresses = link_addresses(self.site, entry, root=self.root, term=link_to_term)
        html = definition_html(entry.definition, addresses)

        # A definition in another language than the page needs attributes that say so.
        attributes = self.words.attributes(entry.definition.text)
        if not attributes:
            return html
        return Markup(f"<div{attributes}>{html}</div>")  # noqa: S704


def with_raised_headings(definition: Markup) -> Markup:
    """Returns a definition with each heading one level higher, for a page that has no heading of
    level 2 above it."""

    def raised(tag: re.Match[str]) -> str:
        level = int(tag["level"])
        return f"{tag['start']}{level - 1}"

    return Markup(re.sub(r"(?P<start></?h)(?P<level>[3-6])\b", raised, definition))  # noqa: S704


def with_ids(definition: Markup) -> Markup:
    """Returns a definition whose headings of level 2 have ids by which its page links to them. They
    are numbers, because a heading is no promised address."""
    numbers = count(1)
    return Markup(re.sub("<h2>", lambda _heading: f'<h2 id="part-{next(numbers)}">', definition))  # noqa: S704


def contents(html: Markup) -> list[tuple[str, str]]:
    """Returns the headings of level 2 with an id, each with its id before it; none if there is only
    one."""
    headings = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', html, re.S)
    if len(headings) < 2:
        return []
    return [(unescape(id), plain(Markup(words))) for id, words in headings]  # noqa: S704


def described(
    page: Page,
    life: Life,
    site: Site,
    *,
    name: str,
    definition: Prose,
    status: Markup,
    start: str = "",
    other_names: Sequence[str] = (),
) -> Page:
    """Returns a page of a term with its description and structured data. `status` is the sentence
    under the name, and the description begins with `start`."""
    standing = plain(status)
    thing: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": name,
        "description": summary(definition),
        "disambiguatingDescription": standing,
        "termCode": site.slugs[life.key],
    }
    glossary = {"@type": "DefinedTermSet", "name": site.title}
    if site.base_url:
        thing["url"] = site.base_url + page.address
        glossary["url"] = site.base_url
    if site.languages:  # else the language may be only the default
        glossary["inLanguage"] = site.language
    thing["inDefinedTermSet"] = glossary
    if other_names:
        thing["alternateName"] = other_names
    return replace(
        page,
        description=_description(definition, standing, start=start),
        canonical=site.address(life.key),
        standing=standing,
        structured_data=thing,
    )


def _description(definition: Prose, standing: str, *, start: str) -> str:
    """Returns a page's description: the summary of the definition, then the status. If both are too
    long, the summary is cut."""
    text = f"{start} {summary(definition)}".strip()
    max_bytes = DESCRIPTION_BYTES - len(f" {standing}".encode())
    return f"{_cut(text, max_bytes)} {standing}".strip()


def _cut(text: str, max_bytes: int) -> str:
    """Returns a text, cut at the end of a word if it has too many bytes. Chinese and Japanese have
    no spaces and are cut at any character, as is one long word."""
    encoded = text.encode()
    if len(encoded) <= max_bytes:
        return text
    truncated = encoded[: max(0, max_bytes - len("…".encode()))].decode(errors="ignore")
    end = len(truncated)
    while end > 0 and truncated[end - 1] != " " and not is_unspaced(truncated[end - 1]):
        end -= 1
    words = truncated[:end] or truncated
    return words.rstrip(" ,;:–—،؛") + "…"
