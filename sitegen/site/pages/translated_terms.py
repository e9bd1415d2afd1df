"""The states of translations: on the page of a term, and on the pages about languages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model.term_translations import STATES, State, Translation
from sitegen.model.terms import Life
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import plain
from sitegen.site.pages.language_links import root_of_originals
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Page, Writer, with_raised_headings
from sitegen.site.site import Site
from sitegen.sources.language_tags import language_name
from sitegen.text import collation

WITHOUT_TEXT: frozenset[State] = frozenset({"missing", "unpaired"})
"""The states of terms that have no known translation."""
KINDS_OF_STATES: Mapping[str, str] = {
    "up-to-date": "up-to-date",
    "behind": "behind",
    "untranslated": "reformatted",
    "unpaired": "renamed",
    "orphaned": "removed",
    "unknown": "first-read",
}
"""State of a translation to the kind whose mark it has in tables: some states have a mark of their
own, and others share that of a change. A missing translation has none."""

DIFFERENCE_ID = "original"
"""The HTML id of what changed in the original of a translation."""


class TranslationNotes(NamedTuple):
    """The part of the page of a translated term that is about its original."""

    state: State
    sentence: Markup
    language: str
    """The language of the original."""
    link: Markup
    """A link to the page of the original; empty if it has none."""
    see: Markup
    """A link to what changed in the original; empty if the page does not show it."""
    difference: WordingComparison | None
    original_words: Markup
    """The definition of the original; empty if the difference shows it, or nothing changed."""


def translation_of(slug: str, writer: Writer) -> TranslationNotes | None:
    """Returns the part of the page of a translated term that is about its original; None in the
    site of the originals."""
    site = writer.site
    if slug not in site.own_translations:
        return None
    translation = site.own_translations[slug]
    original = translation.original

    # The original has a label above it, no heading, so its own headings are raised.
    difference = _difference(translation, writer)
    if difference:
        difference = difference._replace(
            marked=with_raised_headings(difference.marked),
            before=with_raised_headings(difference.before),
            after=with_raised_headings(difference.after),
        )

    original_words = Markup()
    if not difference and translation.state != "up-to-date":
        original_words = with_raised_headings(definition_html(original.definition, LinkAddresses()))

    return TranslationNotes(
        state=translation.state,
        sentence=_sentence(translation, writer),
        language=site.original_language.tag,
        link=_link_to_original(slug, original.name, writer),
        see=_link_to_difference(difference, writer),
        difference=difference,
        original_words=original_words,
    )


def _link_to_original(slug: str, name: str, writer: Writer) -> Markup:
    """Returns a link to the page of the original; empty if it has none."""
    site = writer.site
    language = site.original_language.tag
    page_of_original = site.alternates.get(slug, {}).get(language)
    if page_of_original is None:
        return Markup()
    href = urls.link(page_of_original.path, root_of_originals(site, writer.root))
    link = Markup('<a href="{}" lang="{}" hreflang="{}">{}</a>')
    return link.format(href, language, language, name)


def _link_to_difference(difference: WordingComparison | None, writer: Writer) -> Markup:
    """Returns a link to the place of the page that shows what changed in the original. The number
    of words beside it tells whether three or all have changed. If there is no difference to show,
    the result is empty."""
    if difference is None:
        return Markup()
    link = Markup('<a href="#{}">{}</a>').format(DIFFERENCE_ID, writer.say("frozen.see"))
    if not difference.summary:
        return link
    return Markup("{} ({})").format(link, difference.summary)


def _sentence(translation: Translation, writer: Writer) -> Markup:
    """Returns the sentence on the state of a translation. It begins with the day on which the
    translation was made, if that is known."""
    sentence = _state_sentence(translation, writer)
    if translation.made_on is None:
        return sentence
    made = writer.say("translation.made", date=writer.words.date(translation.made_on))
    return SEPARATOR.join([made, sentence])


def _state_sentence(translation: Translation, writer: Writer) -> Markup:
    """Returns the sentence on the state of a translation, with the day of the last rewording of the
    original, or of its removal, if that is known."""
    state = translation.state
    last = translation.since if state == "orphaned" else translation.reworded
    if last is None:
        return writer.say(f"state.{state}.meaning")
    return writer.say(f"translation.{state}", date=writer.words.date(last.day))


def _difference(translation: Translation, writer: Writer) -> WordingComparison | None:
    """Returns what changed in the original since it was translated; None if nothing changed, or if
    the translated words are not known."""
    if not translation.made_from or translation.state != "behind":
        return None
    original = translation.original
    older_text = replace(original.text, definition=translation.made_from)
    older_original = original._replace(text=older_text)
    labels = None
    if translation.since and translation.reworded:
        before = writer.say("translation.before", date=writer.words.date(translation.since.day))
        after = writer.say("translation.after", date=writer.words.date(translation.reworded.day))
        labels = (plain(before), plain(after))
    # `of` is the term whose page this is, to which definitions have no link. Here all have links.
    return comparison(older_original, original, of="", writer=writer, labels=labels)


def translation_pages(site: Site) -> Iterator[Page]:
    """Yields the pages about translations. The site of the originals has one page about all
    languages. The site of a language has a page about its own translations, and a page for each
    term without a translation."""
    if not site.is_translation:
        yield _overview(site)
        return
    yield _of_language(site)
    # A withdrawn translation keeps the page with its words.
    kept_addresses = {page.address for page in site.kept}
    for slug, translation in site.own_translations.items():
        has_page = slug in site.addresses.pages or urls.term(slug) in kept_addresses
        if translation.state in WITHOUT_TEXT and not has_page:
            yield _untranslated(slug, translation, site)


def _untranslated(slug: str, translation: Translation, site: Site) -> Page:
    """Returns the page of a term without a translation, which shows the original."""
    writer = Writer(site, urls.term(slug))
    name = translation.original.name
    language_of_original = language_name(site.original_language.tag, language=writer.words.language)
    return Page(
        address=writer.address,
        template="pages/untranslated.html",
        title=name,
        context={
            "name": name,
            "translation": translation_of(slug, writer),
            "label": writer.say("translation.text", language=language_of_original),
            "source": writer.edit_address(translation.original),
        },
    )


class TranslatedTerm(NamedTuple):
    """A term on the page about one language."""

    name: Markup
    """A link to its page."""
    original: str
    changed: Markup
    """The number of words that changed in the original; empty if it is not known."""
    changed_words: int
    """This number, for sorting; 0 if it is not known."""
    since: Markup
    """The day since which the translation is behind or orphaned; empty for other states."""
    edit: str
    """The address for editing the translation; empty if it is not known."""


def _of_language(site: Site) -> Page:
    """Returns the page about one language: its terms by state, first `behind`, last
    `up-to-date`."""
    writer = Writer(site, urls.TRANSLATIONS)
    rows_of_state = defaultdict(list)
    for slug, translation in site.own_translations.items():
        rows_of_state[translation.state].append(_row(slug, translation, writer))

    language = site.original_language.tag
    states = []
    for state in (*STATES[1:], STATES[0]):
        if rows_of_state[state]:
            rows = rows_of_state[state]
            rows.sort(key=lambda row: collation.order(row.original, language))
            # Where the original changed most, there is most to do.
            rows.sort(key=lambda row: -row.changed_words)
            states.append((state, rows))
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/language.html",
        title=writer.say("translations.title"),
        context={"states": states, "language": language},
    )


def progress(writer: Writer) -> list[Markup]:
    """Returns how many terms of a language are translated, and how many of them are in each state,
    as links to the lists of them. In the site of the originals, the result is empty."""
    site = writer.site
    if not site.own_translations:
        return []
    counts: Counter[State] = Counter()
    for translation in site.own_translations.values():
        counts[translation.state] += 1
    # Orphaned translations are in neither number: their terms have been removed.
    total = counts.total() - counts["orphaned"]
    # The page of a term in the state "untranslated" has words, but those of the original.
    untranslated = sum(counts[state] for state in (*WITHOUT_TEXT, "untranslated"))
    done = writer.say("translations.progress", done=total - untranslated, total=total)
    links = [writer.link(done, urls.TRANSLATIONS)]
    for state in STATES:
        if counts[state]:
            links.append(_link_to_state(state, counts[state], writer))
    return links


def _link_to_state(state: State, count: int, writer: Writer) -> Markup:
    """Returns a state and the number of terms in it, as a link to the list of these terms."""
    label = Markup("{} {}").format(writer.say(f"state.{state}"), count)
    return writer.link(label, f"{urls.TRANSLATIONS}#{state}")


def behind(lives: Iterable[Life], writer: Writer) -> Markup:
    """Returns how many of these terms are behind their originals, as a link to the list of them;
    empty if none is."""
    site = writer.site
    if not site.is_translation:
        return Markup()
    count = 0
    for life in lives:
        translation = site.own_translations.get(site.slugs[life.key])
        if translation and translation.state == "behind":
            count += 1
    if not count:
        return Markup()
    return _link_to_state("behind", count, writer)


def _row(slug: str, translation: Translation, writer: Writer) -> TranslatedTerm:
    """Returns a term for the page about a language. Its name is the translated name if there is
    one, else the original name."""
    changed = Markup()
    changed_words = 0
    difference = _difference(translation, writer)
    if difference:
        changed = difference.summary
        changed_words = difference.number

    name = translation.original.name
    edit = ""
    if translation.entry:
        name = translation.entry.name
        edit = writer.edit_address(translation.entry)

    since = Markup()
    if translation.since and translation.entry:
        since = writer.say("translations.since", date=writer.words.date(translation.since.day))
    return TranslatedTerm(
        name=writer.link(name, urls.term(slug)),
        original=translation.original.name,
        changed=changed,
        changed_words=changed_words,
        since=since,
        edit=edit,
    )


class TermStates(NamedTuple):
    """A term on the page about all translations."""

    name: str
    address: str
    """The address of its page; empty if it has none."""
    languages: Sequence[tuple[str, str]]
    """For each language its state and its address there; both empty if the language has neither."""


def _overview(site: Site) -> Page:
    """Returns the page about all languages. Languages with the most terms up to date come first."""
    writer = Writer(site, urls.TRANSLATIONS)
    counts = _counts_by_language(site)
    languages = [language for language in site.languages if language.is_translation]
    languages.sort(key=lambda language: -counts[language.tag]["up-to-date"])

    # The columns are the states that some term has.
    states_of_terms = set().union(*counts.values())
    states = [state for state in STATES if state in states_of_terms]
    coverage = []
    for language in languages:
        counts_of_language = counts[language.tag]
        numbers = [(state, counts_of_language[state]) for state in states]
        coverage.append((language, numbers))
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/translations.html",
        title=writer.say("translations.title"),
        context={
            "count": writer.say("terms", len(site.defined)),
            "legend": [(state, writer.say(f"state.{state}.meaning")) for state in states],
            "kinds": KINDS_OF_STATES,
            "coverage": coverage,
            "rows": _states_of_terms(site, [language.tag for language in languages]),
        },
    )


def _counts_by_language(site: Site) -> defaultdict[str, Counter[State]]:
    """Returns the number of terms in each state, by the tags of languages."""
    counts: defaultdict[str, Counter[State]] = defaultdict(Counter)
    for pages in site.translations.values():
        for page in pages:
            counts[page.translation.language][page.translation.state] += 1
    return counts


def _states_of_terms(site: Site, tags: Sequence[str]) -> list[TermStates]:
    """Returns every term with its state in each of these languages, in the order of A–Z."""
    rows = []
    for slug, translations in site.translations.items():
        name = translations[0].translation.original.name
        address = ""
        page = site.addresses.pages.get(slug)
        if page:  # else the original is gone
            name = site.by_key[page.key].name
            address = urls.term(slug)

        state_and_address = {}
        for translated_address, translation in translations:
            state_and_address[translation.language] = (translation.state, translated_address)
        languages = [state_and_address.get(tag, ("", "")) for tag in tags]
        rows.append(TermStates(name, address, languages))
    rows.sort(key=lambda row: collation.order(row.name, site.language))
    return rows
