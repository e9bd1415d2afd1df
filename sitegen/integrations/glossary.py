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
        names, words and changes that they had. Terms of a source that does not have the release are
        unchanged. Raises `SitegenError` if no source has it."""
        known = self.known_release(release)
        releases_of = {}
        for source in self.sources:
            releases_of[source.id] = [one.name for one in source.releases]
        terms = []
        for term in self.terms:
            wording = term.at(known)
            has_release = known in releases_of.get(term.own_definition.source, ())
            # A term without a wording was not defined then, if its source has the release.
            if wording or not has_release:
                past = _term_at(term, wording, known)
                # If the source of its definition is not listed, all wordings may be later.
                if past.wordings:
                    terms.append(past)
        return replace(self, terms=tuple(terms))

    def changes(self, since: str) -> tuple[PublishedChange, ...]:
        """Returns what happened after a release, or after a day as in `2026-11-24`, in the order of
        the terms.

        Raises `SitegenError` if `since` is neither.
        """
        release = self.release_named(since)
        if not release and date_in(since) is None:
            wanted = did_you_mean(since, self.releases)
            raise SitegenError(f"“{since}” is no day, such as 2026-11-24, and no release; {wanted}")
        found = []
        for term in self.terms:
            for change in term.history:
                if change.kind == "first-read":
                    continue
                is_later = (change.date or "") > since
                if release:
                    is_later = self.is_later(change.source, change.release, release)
                if is_later:
                    found.append(change)
        return tuple(found)


def _term_at(term: PublishedTerm, wording: PublishedWording | None, release: str) -> PublishedTerm:
    """Returns a term as it was at a release, with the wording that was in force, if any."""
    is_later = term.glossary.is_later
    # Wordings and changes belong to one term: the new one has copies.
    wordings = []
    for one in term.wordings:
        if not is_later(one.source, one.first, release):
            wordings.append(replace(one))
    history = []
    for change in term.history:
        if not is_later(change.source, change.release, release):
            history.append(replace(change))
    past = replace(term, wordings=tuple(wordings), history=tuple(history))
    if wording is None:
        return past
    former_names = []
    for former in term.former_names:
        if not is_later(wording.source, former.until, release):
            former_names.append(former)
    status: DataStatus = "current"
    replaced_by = None
    if wording.status == "deprecated":
        status = "deprecated"
        replaced_by = term.replaced_by
    return replace(
        past,
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
