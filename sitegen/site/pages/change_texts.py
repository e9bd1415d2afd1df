"""Changes in words: the sentences about one change, and the lists of changes that pages of releases
have, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, partial

from markupsafe import Markup

from sitegen.model import Entry, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, MINOR, Change, ChangeKind
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer, file_name
from sitegen.site.pages.status import absence
from sitegen.site.release_pairs import Event
from sitegen.text import collation
from sitegen.text.names import fold
from sitegen.text.summary import summary

MAX_OPEN = 12
"""If a page has more differences, they are collapsed initially."""

MAX_DETAILED = 200
"""Maximum number of changes of a kind that are shown with details; further ones have links."""

FOR_UPDATING: Sequence[ChangeKind] = (
    "removed",
    "merged",
    "renamed",
    "split",
    "deprecated",
    "reworded",
    "restored",
    "added",
)
"""The kinds of change in a comparison. Readers who update their own texts need first what these
texts can no longer say."""


def sentences(change: Change, *, of: str, writer: Writer) -> Iterator[Markup]:
    """Yields the sentences about a change of the term `of`; often there are none."""
    before = change.before
    site = writer.site
    match change.kind:
        case "renamed":
            assert before
            rule, reason = _message_rule(change)
            yield writer.say(
                f"event.renamed.{rule}", name=before.name, to=change.entry.name, reason=reason
            )
        case "merged" | "split":
            assert change.other
            rule, reason = _message_rule(change)
            key = "event.split" if change.kind == "split" else f"event.merged.{rule}"
            yield writer.say(key, term=writer.term(change.other), reason=reason)
        case "names-changed":
            assert before and change.after
            yield from _names_changed(before, change.after, writer)
        case "moved":
            assert before and change.after
            yield from _moved(before, change.after, writer)
        case "removed":
            restoration = site.by_key[of].term.course(change.source).restoration(change.release)
            if restoration:
                yield writer.say("event.back", release=writer.version(restoration.release))
        case "restored":
            course = site.by_key[of].term.course(change.source)
            absent = writer.words.span(*absence(change, course))
            yield writer.say("event.absent", releases=absent)
    if change.same_as:
        address = site.event_address(of, change.source, change.same_as)
        revision = site.by_key[of].term.course(change.source).revision_at(change.same_as)
        assert revision, "there are words in a release that had the same"
        releases = writer.words.span(revision.first, revision.last)
        yield writer.say("event.same-as", releases=writer.link(releases, address))


def _message_rule(change: Change) -> tuple[str, str]:
    """Returns the last part of a message's key, and the reason in site.toml, if any.

    A rename that was recognized by the words has `("same-words", "")`, one in site.toml
    `("declared-why", "As in the book.")`; `("name", "")` says nothing about why.
    """
    if change.identity is None:
        return "name", ""
    if reason := change.identity.reason:
        return "declared-why", reason
    if change.identity.rule == "declared":
        return "name", ""
    return change.identity.rule.replace(" ", "-"), ""


def _names_changed(before: Entry, after: Entry, writer: Writer) -> Iterator[Markup]:
    """Yields a sentence with the names that an entry gained, and one with those that it lost."""
    gained, lost = _names_missing(after, before, writer), _names_missing(before, after, writer)
    if gained:
        yield writer.say("event.names-gained", names=writer.words.joined(gained))
    if lost:
        yield writer.say("event.names-lost", names=writer.words.joined(lost))


def _names_missing(entry: Entry, other: Entry, writer: Writer) -> list[Markup]:
    """Returns the names of an entry that another one does not have, in quotes."""
    others = {fold(one.text) for one in other.designations}
    names = {fold(one.text): one.text for one in entry.designations}
    return [writer.say("quoted", text=text) for key, text in names.items() if key not in others]


def _moved(before: Entry, after: Entry, writer: Writer) -> Iterator[Markup]:
    """Yields from which section and file an entry moved to which."""
    if before.section != after.section and before.section and after.section:
        yield writer.say("event.moved", before=before.section, after=after.section)
    if before.place.name != after.place.name:
        old, new = file_name(before.place.name), file_name(after.place.name)
        yield writer.say("event.moved-file", before=old, after=new)


def counts(
    events: Iterable[Event], writer: Writer, *, order: Iterable[ChangeKind] = CHANGES
) -> dict[ChangeKind, Markup]:
    """Returns the number of changes of each kind that happened, as text, in an order of kinds."""
    numbers = Counter([event.change.kind for event in events])
    texts = {}
    for kind in order:
        if numbers[kind]:
            texts[kind] = writer.say(f"count.{kind}", numbers[kind])
    return texts


def notes(events: Iterable[Event], writer: Writer) -> list[Markup]:
    """Returns the sentences below the counts of changes: that no term was removed, and how many
    terms are counted for several kinds."""
    compared = [event for event in events if event.change.kind in COMPARED]
    sentences = []
    if all(event.change.kind != "removed" for event in compared):
        sentences.append(writer.say("count.none-removed"))
    kinds = grouped((event.key, event.change.kind) for event in compared)
    number = sum(len(set(of_term)) > 1 for of_term in kinds.values())
    if number:
        sentences.append(writer.say("compare.several", number))
    return sentences


def legend(kinds: Collection[str], writer: Writer) -> Sequence[tuple[str, Markup]]:
    """Returns the marks of these kinds of change: the first kind that has the mark, and all of them
    as text."""
    lines = []
    by_mark = grouped((MARKS[kind], kind) for kind in CHANGES if kind in kinds)
    for several in by_mark.values():
        lines.append((several[0], writer.words.kinds(several)))
    return lines


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeLine:
    """A change as a line of a list."""

    slugs: tuple[str, ...]
    link: Markup
    """The term's name, as a link to the change on its page."""
    summary: Markup = field(default_factory=Markup)
    sentences: tuple[Markup, ...] = ()
    comparison: WordingComparison | None = None


class ChangeListing:
    """The changes listed on pages of one depth: of releases, or of comparisons of two releases.
    These have an order of their own, and links to both wordings of a reworded term.

    Many pages list the same changes, so lines are cached by event: with 60 terms and 200 releases,
    a build without this cache takes twice as long.
    """

    def __init__(self, writer: Writer, *, is_of_comparisons: bool = False) -> None:
        self.writer = writer
        self.is_of_comparisons = is_of_comparisons
        self._cached_line, self._cached_wordings = cache(self._line), cache(self._wordings)
        self._order = cache(partial(collation.order, language=writer.site.language))

    def by_kind(self, events: Iterable[Event]) -> list[Mapping[str, object]]:
        """Returns the values of the template: changes in the order of their kinds, and by the name
        shown within one."""
        in_order = sorted(events, key=lambda event: self._order(event.change.entry.name))
        of_kind = grouped((event.change.kind, event) for event in in_order)
        reworded = {event.key for event in of_kind.get("reworded", ())}
        kinds = []
        for kind in FOR_UPDATING if self.is_of_comparisons else CHANGES:
            if kind in of_kind:
                kinds.append(self._kind(kind, of_kind[kind], reworded))
        return kinds

    def _kind(self, kind: str, events: Sequence[Event], reworded: Set[str]) -> Mapping[str, object]:
        """Returns the values of one kind. The `reworded` terms have their new words in the list of
        that kind, so among the deprecated ones they have only what to use instead."""
        # Changes that leave the words the same are collapsed initially, and have no details.
        detailed = 0 if kind in MINOR else MAX_DETAILED
        lines: list[tuple[ChangeLine, Markup]] = []
        for event in events[:detailed]:
            if kind == "deprecated" and event.key in reworded:
                line = replace(self._name(event), sentences=self._instead(event))
            else:
                line = self._cached_line(event)
            wordings = self._cached_wordings(event) if self.is_of_comparisons else Markup()
            lines.append((line, wordings))
        for event in events[detailed:]:
            lines.append((self._name(event), self._cached_wordings(event)))
        is_open = len(events) <= MAX_OPEN
        return {
            "kind": kind,
            "is_minor": kind in MINOR,
            "lines": lines,
            "is_open": is_open,
            "has_folded": not is_open and any(line.comparison for line, _ in lines),
            "total": self.writer.say("terms", len(events)),
        }

    def _line(self, event: Event) -> ChangeLine:
        """Returns a change with its details."""
        writer = self.writer
        change = event.change
        line = self._name(event)
        if wordings := compared_entries(change):
            difference = comparison(*wordings, of=event.key, writer=writer)
            line = replace(line, comparison=difference)
        elif change.kind != "merged":
            # The definition of a merged term only says what its sentence says.
            line = replace(line, summary=writer.text(summary(change.entry.definition)))
        said = list(sentences(change, of=event.key, writer=writer))
        if change.kind == "removed" and self.is_of_comparisons:
            # Of several releases, this one removed the term.
            release = writer.version(change.release)
            said.insert(0, writer.say("event.removed", release=release))
        return replace(line, sentences=tuple(said))

    def _name(self, event: Event) -> ChangeLine:
        """Returns a change without details: the name of its term."""
        data = self.writer.data
        change = event.change
        address = data.site.event_address(event.key, change.source, change.release)
        return ChangeLine(
            slugs=data.site.slugs_of[event.key],
            link=self.writer.link(change.entry.name, address),
        )

    def _instead(self, event: Event) -> tuple[Markup, ...]:
        """Returns which term to use instead of a deprecated one, or that none is named."""
        replacement = self.writer.site.by_key[event.key].replaced_by
        if replacement:
            sentence = self.writer.say("status.use-instead", term=self.writer.term(replacement))
        else:
            sentence = self.writer.say("status.no-replacement")
        return (sentence[:1].upper() + sentence[1:],)

    def _wordings(self, event: Event) -> Markup:
        """Returns links to both wordings of a change of words, each named after its releases."""
        site = self.writer.site
        life = self.writer.site.by_key[event.key]
        links = []
        for entry in compared_entries(event.change):
            source, release = entry.place.source, entry.place.release
            revision = life.term.course(source).revision_at(release)
            releases = self.writer.version(release)
            if revision:
                releases = self.writer.releases_of(revision)
            address = site.frozen_address(life.key, revision)
            text = self.writer.say("frozen.wording", release=releases)
            links.append(self.writer.link(text, address or site.address(event.key)))
        return SEPARATOR.join(links)


def compared_entries(change: Change) -> tuple[()] | tuple[Entry, Entry]:
    """Returns both entries of a change that is shown as a difference, or () for another one."""
    if change.before and change.after and change.kind in ("reworded", "restored"):
        return change.before, change.after
    return ()
