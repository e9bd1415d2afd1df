"""The glossary of a built site: which term has a name, what changed, and what it said at a
release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitegen.integrations.published_terms import (
    Definition,
    PublishedChange,
    PublishedTerm,
    PublishedTerms,
    PublishedWording,
)
from sitegen.model import SitegenError
from sitegen.model.terms import DataStatus
from sitegen.text.names import NameIndex, did_you_mean, exact, spelled_out
from sitegen.text.release_names import date_in

if TYPE_CHECKING:
    from sitegen.integrations.outdated import OutdatedUse


MatchKind = Literal["preferred", "synonym", "former", "avoided"]
MATCH_OF_STATUS: Mapping[str, MatchKind] = {
    "preferred": "preferred",
    "admitted": "synonym",
    "deprecated": "avoided",
}
"""The kind of a match by the status of the name."""
RANKS: Mapping[MatchKind, int] = {"preferred": 0, "synonym": 1, "avoided": 1, "former": 2}
"""Of several terms with a name, the one with the lowest rank is found."""
RANK_OF_GONE = 3
"""Added to the rank of a term that no source defines."""


class Match(NamedTuple):
    """A term that was found by a name, the kind of the match, and the name as the glossary spells
    it."""

    term: PublishedTerm
    kind: MatchKind
    name: str

    @property
    def key(self) -> str:
        """The slug of the term: matches with one key are of one term."""
        return self.term.slug

    @property
    def rank(self) -> int:
        """0 for a preferred name, 1 for another in force, 2 for a former one; more if no source
        defines the term any more."""
        rank = RANKS[self.kind]
        return rank if self.term.is_defined else rank + RANK_OF_GONE

    @property
    def is_in_force(self) -> bool:
        """True for a name that a defined term has today, even if it is to be avoided."""
        return self.rank < RANKS["former"]

    def advice(self, written: str) -> str:
        """Returns what to write instead of this name, which a text has as `written`: `“master” is
        to be avoided; use “main”`. Empty for a name in force, and for a term that is gone."""
        term = self.term
        if not term.is_defined:
            return ""
        instead = (term.instead or term).name
        if self.kind == "avoided":
            return f"“{written}” is to be avoided; use “{instead}”"
        if self.kind != "former":
            return ""
        until = next(one.until for one in term.former_names if exact(one.text) == self.name)
        return f"“{written}” is a former name since {until}; use “{instead}”"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Glossary(PublishedTerms):
    """The glossary of a built site."""

    def find(self, name: str) -> Match | None:
        """Returns the term that has or had a name, in any case or in the plural; None if there is
        none, or if a plural may be of several terms. Names in force come first."""
        return self._name_index.find(name, goes_first=lambda match: match.is_in_force)

    @cached_property
    def _name_index(self) -> NameIndex[Match]:
        """All names by which terms are found."""
        matches: list[Match] = []
        for term in self.terms:
            matches += _matches(term)
        return NameIndex(matches, language=self.language)

    def check(self, text: str, format: str = "markdown") -> tuple[OutdatedUse, ...]:
        """Returns the outdated names in a text, in order, as `sitegen check-text` does.

        `format` is `markdown`, `rst` or `text`. Raises `SitegenError` for another format.
        """
        if format not in ("markdown", "rst", "text"):
            raise SitegenError(f"the format is markdown, rst or text, not “{format}”")
        from sitegen.integrations.outdated import findings, outdated  # loads the parsers of texts

        return tuple(findings(self, outdated(self), {f"text.{format}": text}))

    def as_of(self, release: str) -> Glossary:
        """Returns the glossary as it was at a release: the terms that were defined then, with the
        names, words and changes that they had. Raises `SitegenError` if no source has the release.

        Terms of a source without the release keep their names and definitions.
        """
        release_name = self.known_release(release)
        sources_with_release = []
        for source in self.sources:
            if any(other.name == release_name for other in source.releases):
                sources_with_release.append(source.id)

        past_terms = []
        for term in self.terms:
            wording = term.at(release_name)
            if wording:
                past_terms.append(_term_at(term, wording, release_name))
                continue
            if term.own_definition.source in sources_with_release:
                continue  # the term was not defined then
            past_term = _without_later(term, release_name)
            # The source of its definition lacks the release, so its wordings are still there. Only
            # in a damaged file, the term may have none of that source.
            if past_term.wordings:
                past_terms.append(past_term)
        return replace(self, terms=tuple(past_terms))

    def changes(self, since: str) -> tuple[PublishedChange, ...]:
        """Returns what happened after a release, or after a day as in `2026-11-24`, in the order of
        the terms.

        Raises `SitegenError` if `since` is neither.
        """
        release = self.release_named(since)
        if not release and date_in(since) is None:
            wanted = did_you_mean(since, self.releases)
            raise SitegenError(f"“{since}” is no day, such as 2026-11-24, and no release; {wanted}")
        later_changes = []
        for term in self.terms:
            for change in term.history:
                if change.kind == "first-read":  # the term may be older, so nothing happened
                    continue
                if release:
                    is_later = self.is_later(change.source, change.release, release)
                else:
                    is_later = change.date is not None and change.date > since
                if is_later:
                    later_changes.append(change)
        return tuple(later_changes)


def _without_later(term: PublishedTerm, release: str) -> PublishedTerm:
    """Returns a copy of a term without the wordings and changes that are later than a release."""
    is_later = term.glossary.is_later
    # A wording or change refers to its term, so the new term gets copies.
    past_wordings = []
    for any_wording in term.wordings:
        if not is_later(any_wording.source, any_wording.first, release):
            past_wordings.append(replace(any_wording))
    past_changes = []
    for change in term.history:
        if not is_later(change.source, change.release, release):
            past_changes.append(replace(change))
    return replace(term, wordings=tuple(past_wordings), history=tuple(past_changes))


def _term_at(term: PublishedTerm, wording: PublishedWording, release: str) -> PublishedTerm:
    """Returns a term as it was at a release, with the wording that was in force then."""
    former_names = []
    for former in term.former_names:
        if not term.glossary.is_later(wording.source, former.until, release):
            former_names.append(former)
    # A term with a wording was neither removed nor merged.
    status: DataStatus = "current"
    replaced_by = None
    if wording.status == "deprecated":
        status = "deprecated"
        replaced_by = term.replaced_by
    return replace(
        _without_later(term, release),
        name=wording.name,
        status=status,
        names=wording.names,
        former_names=tuple(former_names),
        own_definition=Definition(
            text=wording.text, summary=wording.summary, source=wording.source, release=release
        ),
        merged_into=None,
        replaced_by=replaced_by,
    )


def _matches(term: PublishedTerm) -> Sequence[Match]:
    """Returns a match for each name by which a term is found: its names, both `Long Form` and `LF`
    for a name `Long Form (LF)`, and its former names."""
    matches = []
    for name in term.names:
        matches.append(Match(term, MATCH_OF_STATUS[name.status], exact(name.text)))
        for form in spelled_out(name.text):  # which has no status of its own
            matches.append(Match(term, "synonym", form))
    for former in term.former_names:
        matches.append(Match(term, "former", exact(former.text)))
    return matches
