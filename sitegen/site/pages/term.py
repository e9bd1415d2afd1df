"""The pages of a term: its own page, and those of its former names, which are the same page under
that name. `frozen_wordings` has the pages of its wordings.

A term's page has its definition, its names, its history, and links that edit its source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.history.relations import synonym_of
from sitegen.model import Entry, Source, grouped
from sitegen.model.terms import MARKS, Change, Life
from sitegen.permanence.term_addresses import MovedEntry, TermPage
from sitegen.site.messages import plain
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.frozen_wordings import frozen_page
from sitegen.site.pages.marked_wordings import comparison
from sitegen.site.pages.page import (
    Page,
    Writer,
    contents,
    described,
    with_ids,
    with_raised_headings,
)
from sitegen.site.pages.status import (
    mark_and_label,
    rename_in_status,
    status,
    was_reworded_last,
    wordings_beside_status,
)
from sitegen.site.pages.term_history import history, wordings
from sitegen.site.pages.term_names import rename_to_present, renames_from, term_names
from sitegen.site.pages.translated_terms import TranslationNotes, translation_of
from sitegen.site.site import Site
from sitegen.text import markdown_escaping
from sitegen.text.names import fold, usable
from sitegen.text.summary import summary
from sitegen.text.words import same_words

MAX_HOMONYMS = 20
"""If more terms share a name, the others are counted: else the pages would grow with the square of
their number."""


def of_term(site: Site, key: str) -> Iterator[Page]:
    """Yields the pages of one term: its own page, the pages of its former names, and the pages of
    its wordings."""
    life = site.by_key[key]
    for slug in site.slugs_of[key]:
        yield _TermPageWriter(life, slug, Writer(site, urls.term(slug))).page()
    for frozen in site.frozen_of.get(key, ()):
        yield frozen_page(life, frozen, Writer(site, frozen.address))


class _Head(NamedTuple):
    """The state of the term of a page, as the page says it."""

    mark: str
    """The kind of the mark of the first line; empty if there is nothing to notice."""
    label: Markup
    """The line above the definition, if it is not the current one of the name."""
    status: Markup
    lines: Sequence[Markup]
    """The lines below the name. The first one is the status, with its link if it has one."""
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
        """The record of the address of the page: its name, and the ids on it."""
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
            address=writer.address,
            template="pages/term.html",
            title=self.name,
            context={
                **self._top(head, translation),
                **self._definition(),
                "names": term_names(life, self.name, head.rename, writer),
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
            other_names=[name for name in usable(life.names) if fold(name) != fold(self.name)],
        )

    def _head(self, translation: TranslationNotes | None) -> _Head:
        """Returns what the page says about the state of the term, or of its former name. On the
        page of a translation, it also says how far this is behind its original."""
        head = self._own_head()
        if translation is None:
            return head
        line = _with_link(translation.sentence, translation.see)
        if self.is_former or self.life.status != "current":
            return head._replace(lines=[*head.lines, line])
        # That a translation is behind its original matters more than its own history.
        mark = translation.state if translation.state in MARKS else ""
        return head._replace(mark=mark, status=translation.sentence, lines=[line, *head.lines])

    def _own_head(self) -> _Head:
        """Returns what the page says without regard to an original."""
        life, writer = self.life, self.writer
        mark, label = mark_and_label(life, writer)
        if self.is_former:
            # The definition of a removed term, or of another term, has a label already.
            label = label or writer.say("status.definition-of", term=life.name)
            sentence = self._former_status()
            line = _with_link(sentence, self._link_to_own_words())
            return _Head("renamed", label, sentence, [line])

        lines = [status(life, writer)]
        wordings = wordings_beside_status(life, writer)
        if wordings:
            lines.append(wordings)
        link = Markup()
        if mark == "merged":
            link = self._link_to_own_words()
        elif not label and was_reworded_last(life):
            link = self._link_to_last_difference()
        lines[-1] = _with_link(lines[-1], link)
        return _Head(mark, label, status(life, writer), lines, rename_in_status(life))

    def _top(self, head: _Head, translation: TranslationNotes | None) -> Mapping[str, object]:
        """Returns the values of the part above the definition."""
        return {
            "name": self.writer.text(self.name),
            "section": self.writer.section(self.life),
            "state": head.mark,
            "status_lines": head.lines,
            "homonyms": [*self._homonyms()],
            "moved": [*self._moved()],
            "translation": translation,
            "label": head.label,
        }

    def _definition(self) -> Mapping[str, object]:
        """Returns the definition, and the values of the part below it."""
        life = self.life
        writer = self.writer
        entry = self.shown.entry
        definition = with_ids(with_raised_headings(writer.definition(entry, of=life.key)))
        return {
            "definition": definition,
            "contents": contents(definition),
            "copies": copies(
                self.shown, entry, address=writer.site.address(life.key), writer=writer
            ),
            "other_actions": [*self._other_actions()],
            "wordings": wordings(life, writer),
            "place": writer.defined_in(entry),
        }

    @cached_property
    def _rename(self) -> Change | None:
        """The last change that renamed the term from the name of the page. None if no change did:
        another source may still prefer that name."""
        return renames_from(self.life).get(fold(self.name))

    def _former_status(self) -> Markup:
        """Returns the sentence on the page of a former name: what the term is called now."""
        writer = self.writer
        term = writer.onward(self.life.key)
        if self._rename is None:
            return writer.say("status.other-name", term=term)
        # After that rename, the term may have been renamed again.
        rename = rename_to_present(self.life, self._rename)
        release = writer.version_of(writer.site.source(rename.source), rename.release)
        return writer.say("status.now-called", term=term, release=release)

    def _link_to_own_words(self) -> Markup:
        """Returns a link to the last words that a former name, or a merged term, had of its own. If
        the page shows the same words, the result is empty."""
        change = self._rename if self.is_former else self.life.main_course.last_merge
        if change is None or change.before is None:
            return Markup()
        last_entry = change.before
        is_shown = same_words(last_entry.definition, self.shown.entry.definition)
        is_only_name = synonym_of(last_entry.definition)  # such as "See tensor."
        if is_shown or is_only_name:
            return Markup()

        revision = self.life.course(change.source).revision_at(last_entry.place.release)
        assert revision, "an entry is of a wording"
        address = self.writer.site.wording_address(self.life.key, revision)
        return self.writer.link(self.writer.say("status.own-words"), address)

    def _link_to_last_difference(self) -> Markup:
        """Returns a link, on one line, to the event that gave the term its present words, which
        shows the difference from the earlier ones."""
        course = self.life.main_course
        event = self.writer.site.event_address(self.life.key, course.source.id, course.words_since)
        words = self.writer.say("frozen.see").replace(" ", "\N{NO-BREAK SPACE}")
        return self.writer.link(words, event)

    def _other_actions(self) -> Iterator[Markup]:
        """Yields links to edit the shown entry and to report a problem, if the forge is known, and
        a link to the term's feed, if the site has an address."""
        writer = self.writer
        repository = writer.site.repository
        entry = self.shown.entry
        if repository:
            link = Markup('<a href="{}">{}</a>')
            edit_address = writer.edit_address(entry)
            if edit_address and self.shown.is_defined:
                yield link.format(edit_address, writer.say("edit-source"))

            # The report begins with the address of the page and the place of the entry.
            place = markdown_escaping.literal(plain(writer.defined_in(entry)))
            body = f"{writer.site.base_url}{writer.site.address(self.life.key)}\n{place}\n\n"
            title = plain(writer.say("report.title", name=self.name))
            report_address = repository.report(title=title, body=body)
            yield link.format(report_address, writer.say("report"))

        if writer.site.base_url:
            feed = urls.term_feed(writer.site.slugs[self.life.key])
            yield writer.link(writer.say("subscribe"), feed)

    def _moved(self) -> Iterator[tuple[tuple[str, ...], Markup]]:
        """Yields a sentence for each place to which words of this page have moved, with the ids
        that they had here. The place is another term, or a frozen page if no term has the words."""
        writer = self.writer
        record = self.address_record

        # Two branches of the repository may have given one id to two entries. An id that the page
        # itself uses stays; of several entries with one id, one that a term has now gets it.
        taken_ids = {*record.ids.values(), *record.kept_ids}
        of_terms_first = sorted(record.moved, key=lambda entry: not entry.key)
        by_target = grouped(
            ((entry.key, entry.published.source), entry) for entry in of_terms_first
        )
        for (key, source), moved_entries in by_target.items():
            ids = dict.fromkeys(entry.published.id for entry in moved_entries)  # each id once
            new_ids = tuple([id for id in ids if id not in taken_ids])
            taken_ids.update(new_ids)
            target = writer.term(key) if key else self._links_to_frozen_pages(moved_entries)
            title = writer.site.source_title(source)
            yield new_ids, writer.say("kept.moved", source=title, term=target)

    def _links_to_frozen_pages(self, entries: Iterable[MovedEntry]) -> Markup:
        """Returns links to the frozen pages of entries, each named after its release."""
        links = []
        for entry in entries:
            release = entry.published.reference.release
            links.append(self.writer.link(release, entry.address))
        return self.writer.words.joined(dict.fromkeys(links))  # each link once

    def _homonyms(self) -> Iterator[Markup]:
        """Yields links to the terms of the same name, each with its source and section. If there
        are very many, the last link counts the others."""
        writer, site = self.writer, self.writer.site
        keys = site.namesakes.get(self.slug, ())
        for key in keys[:MAX_HOMONYMS]:
            entry = site.by_key[key].entry
            hints = []
            if len(site.sources) > 1:
                hints.append(site.source_title(entry.place.source))
            if entry.section:
                hints.append(entry.section)
            hint = writer.listed(hints) or summary(entry.definition)
            yield writer.say("names.homonym", term=writer.term(key), hint=hint)

        number_of_others = len(keys) - MAX_HOMONYMS
        if number_of_others > 0:
            more = writer.say("home.more", number_of_others)
            yield writer.link(more, urls.A_TO_Z)

    def _other_definitions(self) -> Iterator[Mapping[str, object]]:
        """Yields the current definitions of other sources."""
        life = self.life
        writer = self.writer
        main = life.main_course
        for course in life.courses:
            entry = course.current
            if course is main or not entry:
                continue
            labels = (main.source.title, course.source.title)
            yield {
                "source": _defining_source(course.source, entry, writer),
                "place": writer.say("event.source", place=writer.place(entry)),
                "definition": writer.definition(entry, of=life.key),
                # None if the words are those of the page.
                "comparison": comparison(
                    life.entry, entry, of=life.key, writer=writer, labels=labels
                ),
            }


def _with_link(sentence: Markup, link: Markup) -> Markup:
    """Returns a sentence with a link after it, if there is one. The dot between them is never at
    the end of a line."""
    return sentence + " ·\N{NO-BREAK SPACE}" + link if link else sentence


def _defining_source(source: Source, entry: Entry, writer: Writer) -> Markup:
    """Returns the source of an entry, with its release or the day on which it was retrieved."""
    if not source.undated:
        release = writer.version(entry.place.release)
        return writer.say("also-defined.release", source=source.title, release=release)
    if source.retrieved:
        date = writer.words.date(source.retrieved)
        return writer.say("also-defined.retrieved", source=source.title, date=date)
    return writer.text(source.title)
