"""The pages of a term: its own page, those of its former names, and those of its frozen wordings.

A term's page has its definition, its names, its history, and links that edit its source. The page
of a former name is the same page under that name. Copied links to a wording lead to its frozen
page, which has it as of one release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, Prose, grouped
from sitegen.model.terms import Life, Revision
from sitegen.permanence.term_addresses import FrozenPage, TermPage
from sitegen.site.messages import plain
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.differences import comparison
from sitegen.site.pages.page import (
    SEPARATOR,
    Page,
    PageData,
    Writer,
    description,
    raised,
)
from sitegen.site.pages.status import badge, last_change, merge_of, state, status
from sitegen.site.pages.term_history import history, wordings
from sitegen.site.pages.translated_terms import translation_of
from sitegen.text import markdown_escaping
from sitegen.text.names import fold
from sitegen.text.summary import summary
from sitegen.text.words import same_words

MAX_HOMONYMS = 20
"""If more terms share a name, the others are counted: else the pages would grow with the square of
their number."""


def of_term(data: PageData, key: str) -> Iterator[Page]:
    """Yields the pages of one term, its own page first."""
    life, root = data.site.by_key[key], urls.root(urls.term("any"))
    for slug in data.site.slugs_of[key]:
        yield _page(life, slug, Writer(data, root, urls.term(slug)))
    writer = Writer(data, urls.root(urls.frozen("any", "any")))
    for frozen in data.site.frozen_of.get(key, ()):
        yield _frozen_page(life, frozen, writer)


def _former_status(life: Life, name: str, writer: Writer) -> Markup:
    """Returns the sentence on the page of a former name, which may still be the preferred name in
    another source."""
    term = writer.onward(life.key)
    for one in reversed(life.changes):
        if one.kind == "renamed" and one.before and fold(one.before.name) == fold(name):
            release = writer.version_of(writer.site.source(one.source), one.release)
            return writer.say("status.now-called", term=term, release=release)
    return writer.say("status.other-name", term=term)


def _head(
    life: Life, slug: str, translation: Mapping[str, Any] | None, writer: Writer
) -> tuple[str, str, Markup, Markup]:
    """Returns the name, the chip, the line above the definition and the status of a term under one
    of its names."""
    chip, label = state(life, writer)
    if slug != writer.site.slugs[life.key]:
        name = writer.site.addresses.pages[slug].name
        label = label or writer.say("status.definition-of", term=life.name)
        return name, "renamed", label, _former_status(life, name, writer)
    if translation and translation["state"] == "behind" and life.status == "current":
        return life.name, "behind", label, translation["sentence"]
    return life.name, chip, label, status(life, writer)


def _page(life: Life, slug: str, writer: Writer) -> Page:
    """Returns the page of a term under its name, or under a former name."""
    translation = translation_of(slug, writer)
    name, chip, label, sentence = _head(life, slug, translation, writer)
    changed, source = Markup(), life.entry.place.source
    if chip == "reworded":
        event = writer.data.revision(life.key, source, life.main_course.revisions[-1].first)
        changed = writer.link(writer.say("frozen.see"), event)
    head = {
        "status": sentence,
        "changed": changed,
        "state": chip,
        "label": label,
        "translation": translation,
        "original": translation["link"] if translation and not translation["original"] else "",
    }
    page = Page(
        address=writer.page_address,
        template="pages/term.html",
        title=name,
        context={**head, **_parts(life, slug, name, writer)},
    )
    definition = writer.site.defining_term(life.key).entry.definition
    usable = [one.text for one in life.names if one.status != "deprecated"]
    others = [other for other in usable if fold(other) != fold(name)]
    return _described(page, life, name, definition, sentence, writer.data, others=others)


def _parts(life: Life, slug: str, name: str, writer: Writer) -> Mapping[str, object]:
    """Returns the parts of the page of a term under one of its names."""
    site = writer.site
    page = site.addresses.pages[slug]
    defining_term, address = site.defining_term(life.key), writer.data.address(life.key)
    entry = defining_term.entry
    section = life.entry.section if life.is_defined else ""
    # The source, if a term of another source has the same name.
    setting = site.setting(life.key)
    places = [writer.text(setting)] if setting not in ("", section) else []
    places += [writer.link(section, urls.section(section))] if section else []
    return {
        "name": writer.text(name),
        "section": SEPARATOR.join(places),
        "definition": raised(writer.definition(entry, of=life.key)),
        "copies": copies(defining_term, entry, address=address, writer=writer),
        "wordings": wordings(life, life.main_course.revisions[-1], writer),
        "place": writer.defined_in(entry),
        "ways": [*_ways(life, defining_term, name, writer)],
        "moved": [*_moved(page, writer)],
        "homonyms": [*_homonyms(life, slug, writer)],
        "names": [
            (writer.say(key), names) for key, names in _name_lines(life, name, writer) if names
        ],
        "history": history(life, anchors=page.ids, shown=entry, writer=writer),
        "others": [*_other_definitions(life, writer)],
    }


def _described(
    page: Page,
    life: Life,
    name: str,
    definition: Prose,
    sentence: Markup,
    data: PageData,
    *,
    start: str = "",
    others: Sequence[str] = (),
) -> Page:
    """Returns the page with a description, which begins with `start`, and with structured data
    (schema.org), which has the other names."""
    site, standing = data.site, plain(sentence)
    structured_data = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": name,
        "description": summary(definition),
        "disambiguatingDescription": standing,
        "termCode": site.slugs[life.key],
        **({"url": site.base_url + page.address} if site.base_url else {}),
        "inDefinedTermSet": {
            "@type": "DefinedTermSet",
            "name": site.title,
            **({"url": site.base_url} if site.base_url else {}),
            **({"inLanguage": site.language} if site.languages else {}),
        },
        **({"alternateName": others} if others else {}),
    }
    return replace(
        page,
        description=description(definition, standing, start=start),
        canonical=data.address(life.key),
        standing=standing,
        structured_data=structured_data,
    )


def _ways(life: Life, defining_term: Life, name: str, writer: Writer) -> Iterator[Markup]:
    """Yields links to edit and report the shown entry if the forge is known, and the term's
    feed."""
    entry, data, home = defining_term.entry, writer.data, writer.data.home
    if home:
        element = Markup('<a href="{}">{}</a>')
        if defining_term.is_defined and (address := writer.edit_address(entry)):
            yield element.format(address, writer.say("edit-source"))
        place = markdown_escaping.literal(plain(writer.defined_in(entry)))
        body = f"{data.absolute(data.address(life.key))}\n{place}\n\n"
        report_address = home.report(title=writer.plain_text("report.title", name=name), body=body)
        yield element.format(report_address, writer.say("report"))
    if data.site.base_url:
        yield writer.link(writer.say("subscribe"), urls.term_feed(data.site.slugs[life.key]))


def _moved(page: TermPage, writer: Writer) -> Iterator[tuple[tuple[str, ...], Markup]]:
    """Yields the ids of releases whose words another term has now, and a sentence that leads to
    it."""
    # After a merge of branches, the page itself or two sentences can claim one id.
    used = {*page.ids.values(), *page.kept_ids}
    by_target = grouped(((one.key, one.key and one.source, one.address), one) for one in page.moved)
    # Those of terms first.
    for (key, *_), several in sorted(by_target.items(), key=lambda item: not item[0][0]):
        first = several[0]
        title = writer.data.titles.get(first.source, first.source)
        link = writer.link(first.release, first.address.removeprefix("/"))
        if key:
            link = writer.term(key)
        ids = tuple(one.id for one in several if one.id not in used)
        used.update(ids)
        yield ids, writer.say("kept.moved", source=title, term=link)


def _name_lines(life: Life, name: str, writer: Writer) -> Iterator[tuple[str, list[Markup]]]:
    """Yields the message key of a line's label, and its names, on the page of one of them, which
    they leave out."""
    data, site = writer.data, writer.site
    others = dict.fromkeys((*data.synonyms.get(life.key, ()), *life.also_known_as))
    # The names of other terms are links, so they are not repeated as text.
    left_out = {fold(name)}
    left_out.update(fold(site.names[key]) for key in others)

    def formerly(former: str | Markup, release: str) -> Markup:
        until = writer.version(release)
        return writer.say("names.formerly-until", name=former, release=until)

    also_called, avoided, former_names = [], [], []
    for designation in life.names:
        if fold(designation.text) in left_out:
            continue
        if designation.status == "admitted":
            also_called.append(writer.text(designation.text))
        elif designation.status == "deprecated":
            avoided.append(writer.text(designation.text))
    for former, release in life.former_names:
        if fold(former) not in left_out:
            former_names.append(formerly(former, release))
    for key in others:
        merger = merge_of(site.by_key[key])
        if merger:
            former_names.append(formerly(writer.term(key), merger.release))
        else:
            also_called.append(writer.term(key))
    see_also = [key for key in site.see_also[life.key] if key != life.synonym_of]
    used_by = [key for key in data.used_by.get(life.key, ()) if key not in see_also]
    yield "names.also-called", also_called
    yield "names.avoid", avoided
    yield "names.formerly", former_names
    yield "kind.split", [*map(writer.term, data.split_off.get(life.key, ()))]
    yield "names.see-also", [*map(writer.term, see_also)]
    yield "names.used-by", [*map(writer.term, used_by)]


def _homonyms(life: Life, slug: str, writer: Writer) -> Iterator[Markup]:
    """Yields links to terms of the same name, each with its source and section, then the number of
    others."""
    site, titles = writer.site, writer.data.titles
    keys = [*dict.fromkeys((*life.term.homonyms, *site.namesakes.get(slug, ())))]
    for key in keys[:MAX_HOMONYMS]:
        entry = site.by_key[key].entry
        hints = (titles[entry.place.source] if len(titles) > 1 else "", entry.section)
        hint = writer.listed(filter(None, hints)) or summary(entry.definition)
        yield writer.say("names.homonym", term=writer.term(key), hint=hint)
    if more := len(keys[MAX_HOMONYMS:]):
        yield writer.link(writer.say("home.more", more), urls.A_TO_Z)


def _other_definitions(life: Life, writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the current definitions of other sources; sources with the same words are grouped."""
    main = life.main_course
    remaining = [course.current for course in life.term.courses if course is not main]
    while entries := list(filter(None, remaining)):
        entry = entries[0]
        same = [one for one in entries if same_words(one.definition, entry.definition)]
        remaining = [one for one in entries if one not in same]
        sources = [writer.site.source(one.place.source) for one in same]
        labels = (main.source.title, writer.listed(source.title for source in sources))
        yield {
            "sources": writer.listed(map(partial(_defining_source, writer=writer), same)),
            "places": SEPARATOR.join(map(writer.place, same)),
            "definition": writer.definition(entry, of=life.key),
            # None if the words are those of the page.
            "comparison": comparison(life.entry, entry, of=life.key, writer=writer, labels=labels),
        }


def _defining_source(entry: Entry, *, writer: Writer) -> Markup:
    """Returns the source of an entry, with its release or the day on which it was retrieved."""
    source = writer.site.source(entry.place.source)
    if not source.undated:
        release = writer.version(entry.place.release)
        return writer.say("also-defined.release", source=source.title, release=release)
    if source.retrieved:
        date = writer.words.date(source.retrieved)
        return writer.say("also-defined.retrieved", source=source.title, date=date)
    return writer.text(source.title)


def _frozen_page(life: Life, frozen: FrozenPage, writer: Writer) -> Page:
    """Returns the page of a frozen wording."""
    entry, address = frozen.entry, frozen.address.removeprefix("/")
    source, release = entry.place.source, entry.place.release
    course = life.term.course(source)
    revision = course.revision_at(release)
    assert revision, "a frozen wording is that of an entry"
    state_of = _present if revision.is_in_force else _end
    chip, sentence = state_of(life, revision, writer)
    version, releases = writer.version(release), writer.releases_of(revision)
    name = Markup(f"<dfn>{writer.text(entry.name)}</dfn>")  # noqa: S704
    difference = None
    for change in course.changes_at(release):
        if change.kind == "reworded" and change.before:
            difference = comparison(change.before, entry, of=life.key, writer=writer)
    living = "frozen.living" if life.is_defined else "frozen.history"
    context = {
        "heading": writer.say("frozen.heading", name=name, releases=releases),
        "wordings": wordings(life, revision, writer),
        "state": chip,
        "status": sentence,
        "copies": copies(life, entry, address=address, writer=writer),
        "definition": raised(writer.definition(entry, of=life.key)),
        "changed": writer.say("release.title", release=version),
        "comparison": difference,
        "place": writer.defined_in(entry),
        "living": writer.say(living, term=writer.term(life.key)),
    }
    title = writer.plain_text("frozen.heading", name=entry.name, releases=plain(releases))
    page = Page(address=address, template="pages/frozen.html", title=title, context=context)
    start = writer.plain_text("frozen.as-of", release=plain(version))
    return _described(page, life, entry.name, entry.definition, sentence, writer.data, start=start)


def _present(life: Life, revision: Revision, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip and the state of a wording that is still in force."""
    last = life.term.course(revision.source).last_released(revision)
    release = writer.version(last)
    if fold(life.name) != fold(revision.entry.name):
        return "renamed", writer.say("frozen.renamed", release=release, term=writer.term(life.key))
    if life.status == "deprecated" and (change := last_change(life, "deprecated", "first-read")):
        since = writer.version(change.release)
        return "deprecated", writer.say("frozen.deprecated", release=release, since=since)
    if revision.ended != "current":
        return "", writer.say("frozen.wording", release=writer.releases_of(revision))
    return "", writer.say("frozen.current")


def _end(life: Life, revision: Revision, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip and the end of a wording that is no longer in force."""
    course = life.term.course(revision.source)
    last = course.releases.index(revision.last)
    spans = [span for span in course.spans if span.first > last and span.state != "unread"]
    following = course.releases[spans[0].first]
    release = writer.version_of(course.source, following)
    for change in course.changes_at(following):
        if change.kind == "merged" and change.other:
            term = writer.term(change.other)
            return "merged", writer.say("status.merged", term=term, release=release)
    if revision.ended == "removed":
        for change in course.changes:
            if change.kind == "restored" and course.releases.index(change.release) > last:
                since = writer.version_of(course.source, change.release)
                return "", writer.say("frozen.restored", release=release, since=since)
        return "removed", writer.say("frozen.removed", release=release)
    address = writer.data.revision(life.key, revision.source, following)
    what = writer.link(writer.say("frozen.see"), address)
    chip = "superseded" if life.is_defined else badge(life)
    return chip, writer.say("frozen.reworded", release=release, what=what)
