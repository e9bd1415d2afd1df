"""The terms of a glossary as Python values, computed from the data of a glossary.json alone.

Sentences about the state of a term are in English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from sitegen.integrations.name_index import DEFINED, Json, MatchKind, NameIndex
from sitegen.model import SitegenError
from sitegen.text.release_names import date_in

QUIET = frozenset({"first-read", "reformatted", "moved", "names-changed"})
"""Kinds of change that leave the term, its words and its preferred name the same."""
STATUS_AFTER = {"deprecated": "deprecated", "removed": "removed", "merged": "merged"}
"""The status of a term after a kind of change; `current` after all others that are not quiet."""

MANY = 16
"""So many releases are not listed in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release of a source."""

    name: str
    date: str | None
    """ISO 8601; None if it is not known."""
    link: str
    unreleased: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A glossary as its publisher keeps it, with its releases, oldest first."""

    id: str
    title: str
    releases: tuple[Release, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name of a term. `status` is preferred, admitted, deprecated or former; `until` dropped a
    former one."""

    text: str
    status: str
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a source said about a term in a run of releases, from `first` to `last`."""

    name: str
    names: tuple[Name, ...]
    text: str
    source: str
    first: str
    last: str
    since: str
    """The release that brought these words, maybe under another name."""
    deprecated: bool
    url: str
    """Where these words have a page of their own; else the page of the term."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that happened to a term in a release."""

    term: Term
    kind: str
    source: str
    release: str
    date: str | None
    path: str
    line: int
    before: str
    """The preferred name on the older side; empty where there is none."""
    declared: bool
    """True if a person declared in site.toml that two names are one term."""

    def __str__(self) -> str:
        return f"{self.kind} in {self.release}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term, whatever it was called in each release."""

    name: str
    slug: str
    """The last part of the address of its page."""
    status: str
    """`current`, `deprecated`, `removed`, `merged` or `unread`, as in glossary.json."""
    names: tuple[Name, ...]
    """The names in force, the preferred one first."""
    former_names: tuple[Name, ...]
    own_text: str
    """The text of its own entry, such as “Same as checkpoint.”"""
    own_summary: str
    """The first sentence of that text."""
    path: str
    """The address of its page, relative to the root of the site."""
    glossary: PublishedTerms = field(repr=False, compare=False)
    _row: Json = field(repr=False, compare=False)

    @property
    def is_defined(self) -> bool:
        return self.status in DEFINED

    @property
    def url(self) -> str:
        """The address of its page; relative to the root of the site if that is not known."""
        return self.glossary.base_url + self.path

    @property
    def definition(self) -> str:
        """The definition in plain text; of a synonym or merged term, that of the term it leads
        to."""
        return self.defining_term.own_text

    @property
    def summary(self) -> str:
        """The first sentence of prose of the definition, at most 140 characters."""
        return self.defining_term.own_summary

    @property
    def defining_term(self) -> Term:
        """The term whose definition its page shows. In a circle of synonyms, the first that
        repeats."""
        term, seen = self, {self.slug}
        while (
            following := term._other("synonym_of") or term._other("merged_into")
        ) and following.slug not in seen:
            term = following
            seen.add(term.slug)
        return term

    @property
    def instead(self) -> Term | None:
        """The term to use instead of a deprecated, removed or merged one, if the glossary names
        one."""
        return self.defining_term if self.status == "merged" else self._other("replaced_by")

    @property
    def related(self) -> tuple[Term, ...]:
        """The terms that its definition refers to."""
        return tuple(filter(None, map(self.glossary.by_slug, self._row["related"])))

    def _other(self, relation: str) -> Term | None:
        slug = self._row[relation]
        return self.glossary.by_slug(slug) if slug else None

    @property
    def history(self) -> tuple[Change, ...]:
        """What happened to it, by source, oldest first. A release that changed nothing has no
        row."""
        return tuple([self._change(row) for row in self._row["history"]])

    def _change(self, row: Json) -> Change:
        return Change(
            term=self,
            kind=row["kind"],
            source=row["source"],
            release=row["release"],
            date=self.glossary.dates.get((row["source"], row["release"])),
            path=row["citation"]["path"],
            line=row["citation"]["line"],
            before=row.get("before", {}).get("name", ""),
            declared=row.get("identity", {}).get("rule") == "declared",
        )

    @property
    def wordings(self) -> tuple[Wording, ...]:
        """Every wording, by source, oldest first."""
        return tuple([self._wording(row) for row in self._row["wordings"]])

    def _wording(self, row: Json) -> Wording:
        return Wording(
            **{key: row[key] for key in ("name", "text", "source", "first", "last", "since")},
            names=_names(row),
            deprecated=row["status"] == "deprecated",
            url=self.glossary.base_url + row["url"] if row["url"] else self.url,
        )

    def at(self, release: str) -> Wording | None:
        """Returns the wording in force at a release, of the first source that defined the term
        then; else None."""
        rows = (row for row in self._row["wordings"] if self.glossary.covers(row, release))
        return next(map(self._wording, rows), None)

    @property
    def wording(self) -> Wording:
        """The wording of its definition: the present one; of a removed term the last."""
        source = self._row["definition"]["source"]
        return next(
            self._wording(row) for row in reversed(self._row["wordings"]) if row["source"] == source
        )

    @property
    def since(self) -> str:
        """When it was added, as “since 1.9”; “since 1.0 or earlier” if it was in the first release
        that was read."""
        first = next(iter(self._main_history), None)
        if first is None or not first.release:
            return ""
        return f"since {first.release}" + (" or earlier" if first.kind == "first-read" else "")

    @property
    def last_change(self) -> Change | None:
        """The last change that a reader should know of, in the source of its definition; None if
        there was none."""
        return next(
            (change for change in reversed(self._main_history) if change.kind not in QUIET), None
        )

    @property
    def milestones(self) -> tuple[str, ...]:
        """When it was added, and its last change since then, as far as they are known."""
        change = self.last_change
        last = str(change) if change and change.kind not in ("added", "split") else ""
        return tuple(filter(None, (self.since, last)))

    @property
    def _main_history(self) -> list[Change]:
        """Returns the changes in the source of its definition."""
        return [
            change for change in self.history if change.source == self._row["definition"]["source"]
        ]

    @property
    def standing(self) -> str:
        """Its state in a few words: “deprecated since 2.0; use “copy””, or “since 1.9, reworded in
        2.0”."""
        release = {change.kind: change.release for change in self.history}
        other = f"; use “{self.instead.name}”" if self.instead else ""
        match self.status:
            case "deprecated":
                return _in("deprecated since", release.get("deprecated")) + other
            case "removed":
                return _in("removed in", release.get("removed")) + other
            case "merged":
                return _in(f"part of “{self.defining_term.name}” since", release.get("merged"))
            case "unread":
                return (
                    f"defined in {self._row['definition']['release']}; newer releases could "
                    f"not be read"
                )
        return ", ".join(self.milestones) or "current"


def _names(row: Json) -> tuple[Name, ...]:
    return tuple([Name(text=name["text"], status=name["status"]) for name in row["names"]])


def _in(words: str, release: str | None) -> str:
    """Returns words that end with a release, or without their last word if it is not known."""
    return f"{words} {release}" if release else words.rpartition(" ")[0]


class Match(NamedTuple):
    """A term that was found by a name, the kind of the match, and the name as the glossary spells
    it."""

    term: Term
    kind: MatchKind
    name: str


class PublishedTerms:
    """The terms of a glossary.json. Nothing changes them; values are computed when they are
    read."""

    def __init__(self, data: Json) -> None:
        """Takes the content of a glossary.json."""
        self._data = data
        self._rows: Sequence[Json] = data["terms"]
        self.title: str = data["title"]
        self.base_url: str = data["base_url"]
        """Where the site is published, with a slash at the end; empty if that is not known."""
        self.language: str = data["language"]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}: {len(self._rows):,} terms>"

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        return tuple(
            Source(
                id=row["id"],
                title=row["title"],
                releases=tuple(
                    Release(**{key: one[key] for key in ("name", "date", "link", "unreleased")})
                    for one in row["releases"]
                ),
            )
            for row in self._data["sources"]
        )

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every term, by name, with those that were removed or merged."""
        return tuple(map(self._term, self._rows))

    def _term(self, row: Json) -> Term:
        former = [
            Name(text=name["text"], status="former", until=name["until"])
            for name in row["former_names"]
        ]
        return Term(
            **{key: row[key] for key in ("name", "slug", "status")},
            names=_names(row),
            former_names=tuple(former),
            own_text=row["definition"]["text"],
            own_summary=row["definition"]["summary"],
            path=row["url"],
            glossary=self,
            _row=row,
        )

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The releases of all sources, each name once, oldest first."""
        return tuple(dict.fromkeys(one.name for source in self.sources for one in source.releases))

    @cached_property
    def dates(self) -> Mapping[tuple[str, str], str | None]:
        """(source id, release) to the date of the release."""
        return {
            (source.id, one.name): one.date for source in self.sources for one in source.releases
        }

    @cached_property
    def _orders(self) -> Mapping[str, Mapping[str, int]]:
        """Source id to the numbers of its releases."""
        orders = {
            source.id: [one.name for one in source.releases] or [""] for source in self.sources
        }
        return {
            source: {name: number for number, name in enumerate(order)}
            for source, order in orders.items()
        }

    def number(self, source: str, release: str) -> int | None:
        """Returns the number of a release in the order of its source; None if the source does not
        have it."""
        return self._orders[source].get(release)

    def covers(self, row: Json, release: str) -> bool:
        """Returns whether a row of `wordings` was in force at a release."""
        order = self._orders[row["source"]]
        return release in order and order[row["first"]] <= order[release] <= order[row["last"]]

    def check_release(self, release: str) -> None:
        """Raises `SitegenError` if no source has the release."""
        if release and release not in self.releases:
            raise SitegenError(f"no source has the release {release}{self._choice}")

    @property
    def _choice(self) -> str:
        """Returns the releases, for a message: all if they are few."""
        names = self.releases
        listed = (
            ", ".join(names)
            if len(names) < MANY
            else f"{len(names):,} from {names[0]} to {names[-1]}"
        )
        return f"; it is one of {listed}" if names else ""

    # Names.

    def find(self, name: str) -> Match | None:
        """Returns the term that has or had a name, in any case or in the plural, or None."""
        found = self._names.find(name)
        return found and Match(self._term(self._rows[found.number]), found.kind, found.name)

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self._rows, language=self.language.partition("-")[0])

    def by_slug(self, slug: str) -> Term | None:
        """Returns the term with this slug in addresses, or with this former slug."""
        number = self._numbers.get(slug)
        return None if number is None else self._term(self._rows[number])

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        former = {
            slug: number for number, row in enumerate(self._rows) for slug in row["former_slugs"]
        }
        return former | {row["slug"]: number for number, row in enumerate(self._rows)}

    # Releases.

    def changes(self, since: str) -> tuple[Change, ...]:
        """Returns what happened after a release, or after a day as in `2026-11-24`, in the order of
        the terms.

        Raises `SitegenError` if `since` is neither.
        """
        if since not in self.releases and date_in(since) is None:
            raise SitegenError(
                f"“{since}” is neither a day, such as 2026-11-24, nor a release{self._choice}"
            )
        return tuple(
            [one for term in self.terms for one in term.history if self._is_later(one, since)]
        )

    def _is_later(self, change: Change, since: str) -> bool:
        if change.kind == "first-read":
            return False
        order = self._orders[change.source]
        if since in order:
            return order[change.release] > order[since]
        return date_in(since) is not None and (change.date or "") > since

    def as_of(self, release: str) -> Self:
        """Returns the glossary as it was at a release: later terms, names, words and changes are
        left out.

        A source that does not have the release is not cut. Raises `SitegenError` if no source has
        it.
        """
        self.check_release(release)
        rows = [kept for row in self._rows if (kept := self._row_as_of(row, release))]
        return type(self)({**self._data, "terms": rows})

    def _is_past(self, source: str, of: str, release: str) -> bool:
        """Returns whether a release of a source is no later than `release`, as far as the source
        has both."""
        end, number = self.number(source, release), self.number(source, of)
        return end is None or number is None or number <= end

    def _row_as_of(self, row: Json, release: str) -> Json | None:
        """Returns the data of a term as it was at a release; None if it was not defined until
        then."""
        wordings = [
            one for one in row["wordings"] if self._is_past(one["source"], one["first"], release)
        ]
        history = [
            one for one in row["history"] if self._is_past(one["source"], one["release"], release)
        ]
        if not wordings:
            return None
        if wordings == row["wordings"] and history == row["history"]:
            return row
        shown = next((one for one in wordings if self.covers(one, release)), wordings[-1])
        source = shown["source"]
        status, last = "deprecated" if shown["status"] == "deprecated" else "current", release
        if not self.covers(shown, release):
            kinds = [
                one["kind"]
                for one in history
                if one["source"] == source and one["kind"] not in QUIET
            ]
            status, last = (
                STATUS_AFTER.get(kinds[-1], "current") if kinds else "current",
                shown["last"],
            )
        keys = {name["text"]: name for name in (*row["names"], *row["former_names"])}
        names = [
            {**(keys.get(one["text"]) or self._names.keyed(one["text"])), **one}
            for one in shown["names"]
        ]
        former = [
            name for name in row["former_names"] if self._is_past(source, name["until"], release)
        ]
        return {
            **row,
            "name": shown["name"],
            "status": status,
            "names": names,
            "former_names": [
                name for name in former if name["text"] not in {one["text"] for one in names}
            ],
            "merged_into": row["merged_into"] if status == "merged" else None,
            "replaced_by": row["replaced_by"] if status in ("deprecated", "removed") else None,
            "definition": {
                "text": shown["text"],
                "summary": shown["summary"],
                "source": source,
                "release": last,
            },
            "history": history,
            "wordings": wordings,
        }
