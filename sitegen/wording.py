"""Every sentence of the interface, in one place.

A message is a text with named gaps, or one text for each plural form. Pages and templates `say` a message by its
key and fill the gaps; what fills them is escaped unless it is markup of ours. Another language is another catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from markupsafe import Markup, escape

Message = str | Mapping[str, str]
"""A text, or the text for each plural form that the language has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The interface in one language."""

    language: str
    direction: Literal["ltr", "rtl"]
    plural: Callable[[int], str]
    """Names the plural form that a number takes, by the categories of CLDR."""
    months: tuple[str, ...]
    messages: Mapping[str, Message]

    def say(self, key: str, count: int | None = None, **values: object) -> Markup:
        """Returns a message with its gaps filled, as HTML. A count chooses the plural form and fills `{count}`."""
        message = self.messages[key]
        if not isinstance(message, str):
            assert count is not None, f"{key} has plural forms and needs a count"
            message = message[self.plural(count)]
        filled = {name: escape(value) for name, value in values.items()}
        # Markup would escape again, one gap at a time in Python: this is asked some fifty times for each page.
        return Markup(str(escape(message)).format(count=count, **filled))  # noqa: S704

    def date(self, day: date) -> Markup:
        """Returns a day in words, marked up for machines."""
        words = self.say("date", day=day.day, month=self.months[day.month - 1], year=day.year)
        return Markup('<time datetime="{}">{}</time>').format(day.isoformat(), words)


def catalogue(language: str) -> Catalogue:
    """Returns the interface in a language, or in English where there is none."""
    return CATALOGUES.get(language.lower(), CATALOGUES.get(language.lower().partition("-")[0], ENGLISH))


def plain(markup: Markup) -> str:
    """Returns what a reader sees of a sentence, for the places that know no markup."""
    return markup.striptags()


STATUS: Mapping[str, Message] = {
    "status.unchanged": "Unchanged since it was added in {release}",
    "status.first-read": "In {release} or earlier, the first release we read",
    "status.unchanged-since": "unchanged since",
    "status.changed": "Unchanged since {release} · {origin}",
    "status.added": "added in {release}",
    "status.earlier": "in {release} or earlier, the first release we read",
    "status.reworded": "Reworded in {release}, the latest release",
    "status.reworded-unreleased": "Reworded in {release}",
    "status.unreleased": "Not in a release yet",
    "status.new": "New in {release}",
    "status.reformatted": "Formatting changed in {release}; same words",
    "status.renamed": "Called “{name}” until {release} · {origin}",
    "status.deprecated": "Deprecated since {release}.",
    "status.deprecated-earlier": "Deprecated in {release} or earlier, the first release we read.",
    "status.deprecated-undated": "Deprecated.",
    "status.use-instead": "Use {term} instead.",
    "status.removed": "Removed in {release} — last defined in {last}",
    "status.no-replacement": "No replacement recorded.",
    "status.restored": "Removed in {removed}, back since {release}",
    "status.unread": "{releases} could not be read",
    "status.retrieved": "Defined in {source}, retrieved {date}",
    "status.undated": "Defined in {source}, without a date",
    "status.synonym": "Same as {term}, whose definition stands here",
    "status.merged": "Merged into {term} in {release}, whose definition stands here",
    "status.now-called": "{name} is now called {term} (since {release})",
    "status.other-name": "{name} is another name of {term}",
}

KINDS: Mapping[str, Message] = {
    "kind.first-read": "First read",
    "kind.added": "Added",
    "kind.reworded": "Reworded",
    "kind.reformatted": "Formatting changed",
    "kind.renamed": "Renamed",
    "kind.names-changed": "Other names changed",
    "kind.moved": "Moved",
    "kind.deprecated": "Deprecated",
    "kind.removed": "Removed",
    "kind.restored": "Restored",
    "kind.merged": "Merged",
    "kind.split": "Split",
    "kind.unchanged": "Unchanged",
    "kind.unread": "Could not be read",
    "kind.new": "New",
}

EVENTS: Mapping[str, Message] = {
    "event.unreleased": "Not in a release yet.",
    "event.renamed.name": "Renamed from “{name}”.",
    "event.renamed.declared": "Renamed from “{name}” (declared).",
    "event.renamed.declared-why": "Renamed from “{name}” (declared: {reason}).",
    "event.renamed.other-name": "Renamed from “{name}”, which was another name of it.",
    "event.renamed.same-words": "Probably renamed from “{name}” (same words)",
    "event.names-gained": "Also called {names} from here on.",
    "event.names-lost": "No longer called {names}.",
    "event.moved": "Moved from “{before}” to “{after}”.",
    "event.moved-file": "Moved from {before} to {after}.",
    "event.same-as": "Same words as in {release} again.",
    "event.removed": "Last defined in {last}.",
    "event.merged.name": "Merged into {term}.",
    "event.merged.declared": "Merged into {term} (declared).",
    "event.merged.declared-why": "Merged into {term} (declared: {reason}).",
    "event.merged.other-name": "Merged into {term}, which has this name from here on.",
    "event.split": "Split off from {term}, which had this name until then.",
    "event.place": "{path}, line {line}",
    "event.place-before": "before, in {release}: {place}",
    "event.all-changes": "All changes in {release}",
    "event.link": "Link to {release}",
    "event.frozen": "Link to this wording",
    "event.full-text": "Full text",
    "event.what-changed": "What changed",
    "words-added": {"one": "{count} word added", "other": "{count} words added"},
    "words-removed": {"one": "{count} word removed", "other": "{count} words removed"},
    "words-both": "{added}, {removed}",
    "words-and-removed": {"one": "{count} removed", "other": "{count} removed"},
    "marked.added": "[added: ",
    "marked.removed": "[removed: ",
    "marked.end": "]",
    "before": "Before",
    "after": "After",
}

TERM: Mapping[str, Message] = {
    "names.also-called": "Also called",
    "names.formerly": "Formerly",
    "names.formerly-until": "{name} (until {release})",
    "names.deprecated": "{name} (deprecated)",
    "names.homonym": "{term} ({hint})",
    "names.see-also": "See also",
    "names.used-by": "Used by",
    "names.same-name": "Same name, other term",
    "history": "History",
    "history.starts": "History starts at the next release.",
    "history.table": "History as a table",
    "table.release": "Release",
    "table.source": "Source",
    "table.date": "Date",
    "table.change": "What happened",
    "table.place": "Where it stands",
    "table.span": "{first} to {last}",
    "also-defined": "Also defined in",
    "also-defined.retrieved": "{source} (retrieved {date})",
    "also-defined.release": "{source} {release}",
    "also-defined.same": "Same words as above.",
    "also-defined.differs": "How it differs from {source}",
    "defined-in": "{source} {release}: {place}",
    "defined-in-undated": "{source}: {place}",
}

PERMANENCE: Mapping[str, Message] = {
    "release.unreleased": "{release}, not in a release yet",
    "frozen.title": "{name}, as of {release}",
    "frozen.as-of": "As of {release}: ",
    "frozen.wording": "Wording as of {release}.",
    "frozen.current": "Still current in {release}.",
    "frozen.removed": "Removed in {release}.",
    "frozen.reworded": "Reworded in {release}: {what}.",
    "frozen.see": "see what changed",
    "frozen.living": "The whole life of this term: {term}",
    "kept.term.undated": "This address stood for “{name}” of {source}.",
    "kept.term.once": "This address stood for “{name}” of {source} {first}.",
    "kept.term.long": "This address stood for “{name}” of {source}, {first} to {last}.",
    "kept.frozen": "This address stood for the wording of “{name}” in {source} {first}.",
    "kept.release": "This address stood for the release {name} of {source}.",
    "kept.page": "There was a page at this address.",
    "kept.reason": "It was retired: {reason}",
    "kept.title": "Retired address",
    "kept.notice": "Not all that was first published at this address stands here: {reason}",
    "kept.moved": "{source} has a term of its own by this name now: {term}",
    "kept.linked": "What this link led to is no longer on this page.",
    "kept.living": "Of this term there is still {term}",
    "kept.section": "No term stands in this section today.",
}

PAGES: Mapping[str, Message] = {
    "date": "{day} {month} {year}",
    "title": "{page} — {site}",
    "skip.definition": "Skip to definition",
    "skip.content": "Skip to content",
    "nav": "Site",
    "nav.a-z": "A–Z",
    "nav.releases": "Releases",
    "nav.about": "About",
    "search": "Search",
    "search.terms": "Search terms",
    "built-with": "Built with {generator}",
    "data": "Glossary as data",
    "terms": {"one": "{count} term", "other": "{count} terms"},
    "home.covers": {"one": "{source} {last}", "other": "{source} {first} to {last}, {count} releases"},
    "home.covers-unreleased": "{source}, not in a release yet",
    "home.covers-unread": "{source}, which could not be read",
    "home.covers-undated": "{source}",
    "home.covers-retrieved": "{source}, retrieved {date}",
    "home.latest": "New in {release}",
    "home.unreleased": "Not in a release yet: {release}",
    "home.sections": "Sections",
    "home.more": {"one": "and {count} more", "other": "and {count} more"},
    "home.letters": "By letter",
    "home.every-term": "Every term, A–Z",
    "a-z.title": "A–Z",
    "a-z.description": {"one": "The {count} term of {site}.", "other": "All {count} terms of {site}, A to Z."},
    "a-z.letters": "Letters",
    "a-z.also": "also: {names}",
    "a-z.removed": "Removed terms",
    "a-z.same-as": "Same as {term}",
    "a-z.removed-in": "removed in {release}",
    "section": "Section",
    "section.terms": {"one": "{count} term in this section.", "other": "{count} terms in this section."},
    "releases.title": "Releases",
    "releases.none": "No release has been read: nothing here has a history yet.",
    "release.title": "Changes in {release}",
    "release.none": "No terms changed in {release}.",
    "release.first": {
        "one": "{release} is the first release we read, with {count} term.",
        "other": "{release} is the first release we read, with {count} terms.",
    },
    "release.first-unreleased": {
        "one": "{release} has {count} term.",
        "other": "{release} has {count} terms.",
    },
    "release.unread": "{source} could not be read in {release}: what happened to its terms is not known.",
    "release.previous": "Previous: {release}",
    "release.next": "Next: {release}",
    "release.neighbours": "Other releases",
    "release.link": "This release at its publisher",
    "release.of": "{source} {release}",
    "count.first-read": {"one": "{count} first read", "other": "{count} first read"},
    "count.added": {"one": "{count} added", "other": "{count} added"},
    "count.reworded": {"one": "{count} reworded", "other": "{count} reworded"},
    "count.renamed": {"one": "{count} renamed", "other": "{count} renamed"},
    "count.deprecated": {"one": "{count} deprecated", "other": "{count} deprecated"},
    "count.removed": {"one": "{count} removed", "other": "{count} removed"},
    "count.restored": {"one": "{count} restored", "other": "{count} restored"},
    "count.merged": {"one": "{count} merged", "other": "{count} merged"},
    "count.split": {"one": "{count} split off", "other": "{count} split off"},
    "count.names-changed": {"one": "{count} with other names", "other": "{count} with other names"},
    "count.moved": {"one": "{count} moved", "other": "{count} moved"},
    "count.reformatted": {"one": "{count} with other formatting", "other": "{count} with other formatting"},
    "about.title": "About and sources",
    "about.sources": "Sources",
    "about.address": "Published at",
    "about.licence": "Licence",
    "about.retrieved": "One document, retrieved {date}. It belongs to no release and has no history.",
    "about.undated": "One document without releases: it has no history.",
    "about.complete": "Read from its very first release.",
    "about.release": "Release",
    "about.date": "Date",
    "about.files": "Files read",
    "about.file": "File read",
    "about.terms": "Terms",
    "about.unread": "could not be read",
    "about.gap": "{releases} could not be read, so nothing is said about what happened to terms then.",
    "about.renames": "How renames were decided",
    "about.renames-none": "No term is known to have changed its name.",
    "about.rename": "“{before}” became {term} in {source} {release}",
    "about.merge": "“{before}” was merged into {term} in {source} {release}",
    "about.rule.declared": "declared by the keeper of this site",
    "about.rule.declared-why": "declared by the keeper of this site: {reason}",
    "about.rule.other name": "the one was already, or became, another name of the other",
    "about.rule.same words": "probably: both have the same words, and no other term has them",
    "about.moved": "Where this site also stands",
    "about.problems": "What was odd in the sources",
    "about.problems-none": "Nothing.",
    "about.downloads": "Downloads",
    "about.schema": "what its keys mean (JSON Schema)",
    "about.privacy": "No cookies, nothing stored in your browser, nothing loaded from elsewhere.",
    "lost.title": "Page not found",
    "lost.text": "There is no page at this address.",
    "lost.respelled": "There is one at {page}",
    "lost.same": "In {release} this term read as in {wording}.",
    "lost.after": "We have not read {release}. Before it, this term read as in {wording}.",
    "lost.absent": "In {release} this term was not defined.",
    "lost.unread": "{release} could not be read, so how this term read in it is not known.",
    "lost.unknown": "We know no release {release} of this term.",
    "lost.release": "We know no release {release}.",
    "lost.releases": "Every release",
    "lost.like": "Terms with a name like it:",
    "lost.ways": "Every term is in the list A–Z; the search also finds former names.",
}

SEARCH: Mapping[str, Message] = {
    "search.title": "Search",
    "search.also": "also: {name}",
    "search.formerly": "formerly {name}",
    "search.current": "current",
    "search.deprecated": "deprecated",
    "search.removed": "removed",
    "search.found-one": "1 result: {name}, {status}.",
    "search.found-other": "{count} results. First: {name}, {status}.",
    "search.found-many": "More than {count} results. First: {name}, {status}.",
    "search.nothing": "No term matches “{query}”.",
    "search.guess": "Did you mean {name}?",
    "search.browse": "Browse A–Z",
    "search.failed": "Search did not load.",
    "search.needs-script": "Searching needs scripts, which are off in this browser.",
}

ENGLISH = Catalogue(
    language="en",
    direction="ltr",
    plural=lambda count: "one" if count == 1 else "other",
    months=tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
    messages={**STATUS, **KINDS, **EVENTS, **TERM, **PERMANENCE, **PAGES, **SEARCH},
)

CATALOGUES: Mapping[str, Catalogue] = {"en": ENGLISH}
