"""The glossary of a built site: what was outdated, what changed, and what it said at a release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitegen.integrations.published_terms import (
    PublishedChange,
    PublishedTerm,
    PublishedTerms,
    PublishedWording,
)
from sitegen.integrations.term_parts import Definition
from sitegen.model import SitegenError
from sitegen.model.terms import DataStatus
from sitegen.text.names import did_you_mean
from sitegen.text.release_names import date_in

if TYPE_CHECKING:
    from sitegen.integrations.outdated import OutdatedUse


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Glossary(PublishedTerms):
    """The glossary of a built site."""

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
            # A source with the release may have defined it only later: then no wording is left.
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
