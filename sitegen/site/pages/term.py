"""The pages of a term: its own page, and those of its former names, which are the same page under
that name. `frozen_wordings` has the pages of its wordings.

A term's page has its definition, its names, its history, and links that edit its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.history.meanings import wording_before_notice
from sitegen.history.relations import synonym_of
from sitegen.model import Entry, grouped
from sitegen.model.terms import Change, Life
from sitegen.permanence.term_addresses import TermPage
from sitegen.site.messages import plain
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.frozen_wordings import frozen_page
from sitegen.site.pages.marked_wordings import comparison
from sitegen.site.pages.page import SEPARATOR, Page, PageData, Writer, with_raised_headings
from sitegen.site.pages.status import mark_and_label, rename_in_status, status
from sitegen.site.pages.term_descriptions import described
from sitegen.site.pages.term_history import history, wordings
from sitegen.site.pages.term_names import name_lines
from sitegen.site.pages.translated_terms import translation_of
from sitegen.text import markdown_escaping
from sitegen.text.names import fold, usable
from sitegen.text.summary import summary
from sitegen.text.words import same_words

MAX_HOMONYMS = 20
"""If more terms share a name, the others are counted: else the pages would grow with the square of
their number."""


def of_term(data: PageData, key: str) -> Iterator[Page]:
    """Yields the pages of one term, its own page first, then those of its former names and
    wordings."""
    life = data.site.by_key[key]
    root = urls.root(urls.term("any"))
    for slug in data.site.slugs_of[key]:
        yield _TermPageWriter(life, slug, Writer(data, root, urls.term(slug))).page()
    writer = Writer(data, urls.root(urls.frozen("any", "any")))
    for frozen in data.site.frozen_of.get(key, ()):
        yield frozen_page(life, frozen, writer)


class _Head(NamedTuple):
    """What a page says about the state of its term."""

    mark: str
    """The kind of its mark; empty if there is nothing to notice."""
    label: Markup
    """The line above the definition, if it is not the current one of the name."""
    status: Markup
    onward: Markup = Markup()
    """The link after the status, if any."""
    rename: Change | None = None
    """The rename that the status names, if any."""


@dataclass(frozen=True)
class _TermPageWriter:
    """Writes the page of a term under its name, or under a former name."""

    life: Life
    slug: str
    writer: Writer

    @cached_property
    def address_record(self) -> TermPage:
        """What is published at the address of the page."""
        return self.writer.site.addresses.pages[self.slug]

    @cached_property
    def is_former(self) -> bool:
        """True if the page is about a former name."""
        return self.slug != self.writer.site.slugs[self.life.key]

    @cached_property
    def name(self) -> str:
        """The name that the page is about."""
        return self.address_record.name if self.is_former else self.life.name

    @cached_property
    def shown(self) -> Life:
        """The term whose definition the page shows: this term, or for a synonym the term that it
        stands for."""
        return self.writer.site.defining_term(self.life.key)

    def page(self) -> Page:
        """Returns the page."""
        life, writer = self.life, self.writer
        translation = translation_of(self.slug, writer)
        head = self._head(translation)
        page = Page(
            address=writer.page_address,
            template="pages/term.html",
            title=self.name,
            context={
                **self._top(head, translation),
                **self._definition(),
                "names": [*name_lines(life, self.name, head.rename, writer)],
                "history": history(
                    life, anchors=self.address_record.ids, shown=self.shown.entry, writer=writer
                ),
                "others": [*self._other_definitions()],
            },
        )
        return described(
            page,
            life,
            writer.site,
            name=self.name,
            definition=self.shown.entry.definition,
            status=head.status,
            other_names=self._usable_names(),
        )

    def _head(self, translation: Mapping[str, Any] | None) -> _Head:
        """Returns what the page says about the state of the term."""
        life, writer = self.life, self.writer
        mark, label = mark_and_label(life, writer)
        if self.is_former:
            label = label or writer.say("status.definition-of", term=life.name)
            return _Head("renamed", label, self._former_status(), self._own_words())
        is_up_to_date = translation is not None and translation["state"] == "up-to-date"
        if translation and not is_up_to_date and life.status == "current":
            # Its own status would say less than how far it is behind its original.
            behind = "behind" if translation["state"] == "behind" else ""
            return _Head(behind, label, translation["sentence"], translation["see"])
        onward = Markup()
        if mark == "reworded":
            onward = self._last_difference()
        elif mark == "merged":
            onward = self._own_words()
        return _Head(mark, label, status(life, writer), onward, rename_in_status(life))

    def _top(self, head: _Head, translation: Mapping[str, Any] | None) -> Mapping[str, object]:
        """Returns what is above the definition."""
        original_link = ""
        # The words of the original have the link below them (partials/translation.html).
        if translation and not translation["original_words"]:
            original_link = translation["link"]
        return {
            "name": self.writer.text(self.name),
            "section": self.writer.section(self.life),
            "state": head.mark,
            "status": head.status,
            "onward": head.onward,
            "homonyms": [*self._homonyms()],
            "moved": [*self._moved()],
            "translation": translation,
            "original_link": original_link,
            "label": head.label,
        }

    def _definition(self) -> Mapping[str, object]:
        """Returns the definition, and what is offered below it."""
        life = self.life
        writer = self.writer
        entry = self.shown.entry
        return {
            "definition": with_raised_headings(writer.definition(entry, of=life.key)),
            "meant_before": self._meant_before(),
            "copies": copies(
                self.shown, entry, address=writer.site.address(life.key), writer=writer
            ),
            "other_actions": [*self._other_actions()],
            "wordings": wordings(life, writer),
            "place": writer.defined_in(entry),
        }

    def _meant_before(self) -> Markup:
        """Returns the meaning of a term whose definition became a notice such as “Deprecated. Use
        DataLoader.”, with a link to the wording before the notice; empty for other terms."""
        wording = wording_before_notice(self.shown)
        if wording is None:
            return Markup()
        writer = self.writer
        address = writer.data.wording_address(self.shown.key, wording)
        releases = writer.link(writer.releases_of(wording), address)
        meaning = writer.text(summary(wording.latest.definition))
        return writer.say("status.meant-before", releases=releases, meaning=meaning)

    def _usable_names(self) -> list[str]:
        """Returns the other names of the term, without those that are to be avoided."""
        return [name for name in usable(self.life.names) if fold(name) != fold(self.name)]

    @cached_property
    def _rename(self) -> Change | None:
        """The change that took the name of the page from the term. None if there is none: the name
        may still be the preferred one in another source."""
        for change in reversed(self.life.changes):
            if change.kind != "renamed" or change.before is None:
                continue
            if fold(change.before.name) == fold(self.name):
                return change
        return None

    def _former_status(self) -> Markup:
        """Returns the sentence on the page of a former name."""
        writer = self.writer
        term = writer.onward(self.life.key)
        if self._rename is None:
            return writer.say("status.other-name", term=term)
        source = writer.site.source(self._rename.source)
        release = writer.version_of(source, self._rename.release)
        return writer.say("status.now-called", term=term, release=release)

    def _own_words(self) -> Markup:
        """Returns a link to the last words that the term had under the name of the page, if they
        are not those that the page shows, and were more than the name of another term."""
        change = self._rename if self.is_former else self.life.main_course.merge
        if change is None or change.before is None:
            return Markup()
        last = change.before
        is_shown = same_words(last.definition, self.shown.entry.definition)
        if is_shown or synonym_of(last.definition):
            return Markup()
        revision = self.life.term.course(change.source).revision_at(last.place.release)
        if revision is None:
            return Markup()
        address = self.writer.data.wording_address(self.life.key, revision)
        return self.writer.link(self.writer.say("status.own-words"), address)

    def _last_difference(self) -> Markup:
        """Returns a link to the event that gave the term its present words."""
        course = self.life.main_course
        event = self.writer.site.event_address(
            self.life.key, course.source.id, course.revisions[-1].first
        )
        return self.writer.link(self.writer.say("frozen.see"), event)

    def _other_actions(self) -> Iterator[Markup]:
        """Yields links to edit and report the shown entry if the forge is known, and the term's
        feed."""
        writer = self.writer
        data = writer.data
        entry = self.shown.entry
        if data.repository:
            element = Markup('<a href="{}">{}</a>')
            edit = writer.edit_address(entry)
            if edit and self.shown.is_defined:
                yield element.format(edit, writer.say("edit-source"))
            place = markdown_escaping.literal(plain(writer.defined_in(entry)))
            body = f"{data.absolute(writer.site.address(self.life.key))}\n{place}\n\n"
            title = plain(writer.say("report.title", name=self.name))
            report = data.repository.report(title=title, body=body)
            yield element.format(report, writer.say("report"))
        if writer.site.base_url:
            feed = urls.term_feed(writer.site.slugs[self.life.key])
            yield writer.link(writer.say("subscribe"), feed)

    def _moved(self) -> Iterator[tuple[tuple[str, ...], Markup]]:
        """Yields the ids of releases whose words are elsewhere now, and a sentence that leads to
        the term that has them, or to their frozen pages, if no term has them."""
        writer = self.writer
        record = self.address_record
        # After a merge of branches, one id may be that of several entries. The page itself comes
        # first, then the entries that a term has.
        taken = {*record.ids.values(), *record.kept_ids}
        of_terms = [one for one in record.moved if one.key]
        of_no_term = [one for one in record.moved if not one.key]
        by_target = grouped(
            ((one.key, one.published.source), one) for one in (*of_terms, *of_no_term)
        )
        for (key, source), moved in by_target.items():
            ids = dict.fromkeys(one.published.id for one in moved)
            new_ids = tuple([id for id in ids if id not in taken])
            taken.update(new_ids)
            if key:
                target = writer.term(key)
            else:
                links = []
                for one in moved:
                    links.append(writer.link(one.published.reference.release, one.address))
                target = writer.words.joined(dict.fromkeys(links))
            title = writer.site.source_title(source)
            yield new_ids, writer.say("kept.moved", source=title, term=target)

    def _homonyms(self) -> Iterator[Markup]:
        """Yields links to terms of the same name, each with its source and section, then the number
        of others."""
        writer, site = self.writer, self.writer.site
        namesakes = site.namesakes.get(self.slug, ())
        keys = [*dict.fromkeys((*self.life.term.homonyms, *namesakes))]
        for key in keys[:MAX_HOMONYMS]:
            entry = site.by_key[key].entry
            hints = []
            if len(site.sources) > 1:
                hints.append(site.source_title(entry.place.source))
            if entry.section:
                hints.append(entry.section)
            hint = writer.listed(hints) or summary(entry.definition)
            yield writer.say("names.homonym", term=writer.term(key), hint=hint)
        if len(keys) > MAX_HOMONYMS:
            more = writer.say("home.more", len(keys) - MAX_HOMONYMS)
            yield writer.link(more, urls.A_TO_Z)

    def _other_definitions(self) -> Iterator[Mapping[str, object]]:
        """Yields the current definitions of other sources; sources with the same words are
        grouped."""
        life = self.life
        writer = self.writer
        main = self.life.main_course
        others = [course.current for course in life.term.courses if course is not main]
        for entries in _grouped_by_words([entry for entry in others if entry]):
            first = entries[0]
            titles = [writer.site.source_title(one.place.source) for one in entries]
            places = SEPARATOR.join(map(writer.place, entries))
            labels = (main.source.title, writer.listed(titles))
            yield {
                "sources": writer.listed([_defining_source(one, writer) for one in entries]),
                "places": writer.say("event.source", place=places),
                "definition": writer.definition(first, of=life.key),
                # None if the words are those of the page.
                "comparison": comparison(
                    life.entry, first, of=life.key, writer=writer, labels=labels
                ),
            }


def _grouped_by_words(entries: list[Entry]) -> list[list[Entry]]:
    """Returns entries in groups of the same words."""
    groups: list[list[Entry]] = []
    left = entries
    while left:
        first = left[0].definition
        groups.append([one for one in left if same_words(first, one.definition)])
        left = [one for one in left if not same_words(first, one.definition)]
    return groups


def _defining_source(entry: Entry, writer: Writer) -> Markup:
    """Returns the source of an entry, with its release or the day on which it was retrieved."""
    source = writer.site.source(entry.place.source)
    if not source.undated:
        release = writer.version(entry.place.release)
        return writer.say("also-defined.release", source=source.title, release=release)
    if source.retrieved:
        date = writer.words.date(source.retrieved)
        return writer.say("also-defined.retrieved", source=source.title, date=date)
    return writer.text(source.title)
