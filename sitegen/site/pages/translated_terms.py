"""What pages show of the languages of a site: links to the other languages, and the states of
translations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model.terms import ChangeKind
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import plain
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import Page, PageData, Writer, with_raised_headings
from sitegen.site.site import Site, SiteLanguage, TermPath
from sitegen.sources.language_tags import language_name
from sitegen.text import collation

if TYPE_CHECKING:
    from sitegen.history.translation_states import State, Translation

WITHOUT_TEXT: frozenset[State] = frozenset({"missing", "unpaired"})
"""The states of terms that have no known translation."""
KINDS_OF_STATES: Mapping[str, ChangeKind] = {
    "up-to-date": "added",
    "behind": "deprecated",
    "touched": "reworded",
    "untranslated": "reformatted",
    "unpaired": "renamed",
    "orphaned": "removed",
    "unknown": "first-read",
}
"""The states of translations to the kinds of change whose marks they have in tables. A missing
translation has none."""


DIFFERENCE_ID = "original"
"""The HTML id of what changed in the original of a translation."""


class LanguageLink(NamedTuple):
    """A link to a page in a language: to the same term or page, else to the first page."""

    tag: str
    href: str
    is_missing: bool
    """True if the language does not have the term: the page shows the original."""


def language_links(site: Site, address: str, root: str) -> list[LanguageLink]:
    """Returns the links to a page in all languages."""
    alternates = site.alternates.get(urls.slug_in(address), {})
    page = urls.HOME
    if address in urls.OVERVIEWS or address == urls.SEARCH:
        page = address
    top = f"{root}../" if site.folder else root
    links = []
    for tag, _, folder in site.languages:
        target = alternates.get(tag) or TermPath(folder + page, has_text=True)
        links.append(LanguageLink(tag, urls.link(target.path, top), not target.has_text))
    return links


def language_style(site: Site, style: str) -> bytes:
    """Returns the style of the choice of a language. The names of the languages are in it, and the
    words for one that does not have the term, not in each page."""
    style += "\n"
    for one in site.languages:
        style += f'.languages [lang="{one.tag}"]::before {{ content: "{one.name}" }}\n'
    missing = plain(site.words.say("state.untranslated"))
    style += f'.languages .missing::after {{ content: "{missing}" }}\n'
    return style.encode()


def translation_of(slug: str, writer: Writer) -> Mapping[str, Any] | None:
    """Returns what the page of a translated term says about its original; None in the site of the
    originals."""
    site = writer.site
    if not site.folder or slug not in site.translations:
        return None
    one = site.own_translations[slug]
    language = site.languages[0].tag
    original = one.original
    own = site.alternates.get(slug, {}).get(language)
    difference = _difference(one, writer)
    if difference:
        difference = difference._replace(
            marked=with_raised_headings(difference.marked),
            before=with_raised_headings(difference.before),
            after=with_raised_headings(difference.after),
        )
    original_words = Markup()
    if not difference and one.state != "up-to-date":
        original_words = with_raised_headings(definition_html(original.definition, LinkAddresses()))
    link = Markup()
    if own:
        link = Markup('<a href="{}" lang="{}" hreflang="{}">{}</a>').format(
            urls.link(own.path, f"{writer.root}../"), language, language, original.name
        )
    return {
        "state": one.state,
        "sentence": _sentence(one, writer),
        "language": language,
        "link": link,
        "see": _see(difference, writer),
        "difference": difference,
        "original_words": original_words,
    }


def _see(difference: WordingComparison | None, writer: Writer) -> Markup:
    """Returns a link to what changed in the original, which is further down the page; empty if it
    is not known."""
    if difference is None:
        return Markup()
    return Markup('<a href="#{}">{}</a>').format(DIFFERENCE_ID, writer.say("frozen.see"))


def _sentence(one: Translation, writer: Writer) -> Markup:
    """Returns the sentence on the state of a translation, with the day of the first change that it
    lacks."""
    day = writer.words.date(one.since.day) if one.since else ""
    return writer.say(f"translation.{one.state}", date=day)


def _difference(one: Translation, writer: Writer) -> WordingComparison | None:
    """Returns what changed in the original since the translation; None if it is not known."""
    if not one.made_from or one.state not in ("behind", "touched"):
        return None
    older = one.original._replace(text=replace(one.original.text, definition=one.made_from))
    return comparison(older, one.original, of="", writer=writer)


def translation_pages(data: PageData) -> Iterator[Page]:
    """Yields the page about all translations; in the site of a language, the page about its own
    ones, and a page for each term that it lacks."""
    site = data.site
    if not site.folder:
        yield _overview(data)
        return
    yield _of_language(data)
    # A withdrawn translation keeps the page with its words.
    kept = {one.address for one in site.addresses.kept}
    for slug, one in site.own_translations.items():
        address = urls.term(slug)
        title = one.original.name
        is_taken = slug in site.addresses.pages or address in kept
        if one.state in WITHOUT_TEXT and not is_taken:
            writer = Writer(data, urls.root(address), address)
            context = {
                "name": title,
                "translation": translation_of(slug, writer),
                "label": _in_language_of_originals(writer),
                "source": writer.edit_address(one.original),
            }
            yield Page(
                address=address, template="pages/untranslated.html", title=title, context=context
            )


def _in_language_of_originals(writer: Writer) -> Markup:
    """Returns the label of a text in the language of the originals, "Text auf Englisch:"."""
    tag = writer.site.languages[0].tag
    name = language_name(tag, language=writer.words.language)
    return writer.say("translation.text", language=name)


class TranslatedTerm(NamedTuple):
    """A term on the page about one language."""

    name: Markup
    """A link to its page."""
    original: str
    changed: Markup
    """The number of words that changed in the original; empty if it is not known."""
    number: int
    """The same as a number; 0 if it is not known."""
    since: Markup
    """The day since which the translation is behind or orphaned; empty for other states."""
    edit: str
    """The address for editing the translation; empty if it is not known."""


def _of_language(data: PageData) -> Page:
    """Returns the page about one language: its terms by state, first `behind`, last
    `up-to-date`."""
    from sitegen.history.translation_states import STATES  # only sites with translations need it

    writer = Writer(data, urls.root(urls.TRANSLATIONS))
    found = defaultdict(list)
    for slug, one in data.site.own_translations.items():
        found[one.state].append(_row(slug, one, writer))
    in_order = [state for state in STATES if state not in ("behind", "up-to-date")]
    states = []
    for state in ("behind", *in_order, "up-to-date"):
        if found[state]:
            # Where the original changed most, there is most to do.
            rows = sorted(found[state], key=lambda row: -row.number)
            states.append((state, rows))
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/language.html",
        title=plain(writer.say("translations.title")),
        context={
            "states": states,
            "language": data.site.languages[0].tag,
        },
    )


def progress(writer: Writer) -> Markup:
    """Returns how many terms of a language are translated, and how many of them are up to date;
    empty in the site of the originals."""
    site = writer.site
    if not site.folder or not site.translations:
        return Markup()
    counts: Counter[State] = Counter()
    for one in site.own_translations.values():
        counts[one.state] += 1
    total = counts.total() - counts["orphaned"]
    untranslated = sum(counts[state] for state in (*WITHOUT_TEXT, "untranslated"))
    return writer.say(
        "translations.progress",
        done=total - untranslated,
        total=total,
        current=counts["up-to-date"],
    )


def _row(slug: str, one: Translation, writer: Writer) -> TranslatedTerm:
    """Returns a term for the page about its language, under its own name if it has one."""
    changed = Markup()
    number = 0
    difference = _difference(one, writer)
    if difference and difference.summary:
        changed = writer.say("translations.changed", changes=difference.summary)
        number = difference.number
    shown = one.original
    edit = ""
    if one.translation:
        shown = one.translation
        edit = writer.edit_address(one.translation)
    since = Markup()
    if one.since and one.translation:
        since = writer.say("translations.since", date=writer.words.date(one.since.day))
    return TranslatedTerm(
        name=writer.link(shown.name, urls.term(slug)),
        original=one.original.name,
        changed=changed,
        number=number,
        since=since,
        edit=edit,
    )


class LanguageProgress(NamedTuple):
    """A language on the page about all translations."""

    language: SiteLanguage
    counts: Sequence[tuple[str, int]]
    """The number of its terms by state."""


class TermStates(NamedTuple):
    """A term on the page about all translations."""

    name: str
    address: str
    """The address of its page; empty if it has none."""
    languages: Sequence[tuple[str, str]]
    """For each language its state and its address there; both empty if the language has neither."""


def _overview(data: PageData) -> Page:
    """Returns the page about all languages, those with the most terms up to date first."""
    from sitegen.history.translation_states import STATES  # only sites with translations need it

    writer = Writer(data, urls.root(urls.TRANSLATIONS))
    languages = [one for one in data.site.languages if one.is_translation]
    counts = _counts_by_language(data.site)
    languages.sort(key=lambda one: -counts[one.tag]["up-to-date"])
    found = set().union(*counts.values())
    states = [state for state in STATES if state in found]
    coverage = []
    for language in languages:
        own = counts[language.tag]
        numbers = [(state, own[state]) for state in states]
        coverage.append(LanguageProgress(language, numbers))
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/translations.html",
        title=plain(writer.say("translations.title")),
        context={
            "count": writer.say("terms", len(data.current)),
            "legend": [(state, writer.say(f"state.{state}.meaning")) for state in states],
            "kinds": KINDS_OF_STATES,
            "coverage": coverage,
            "rows": _states_of_terms(data.site, [one.tag for one in languages]),
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
        if page:
            name = site.by_key[page.key].name
            address = urls.term(slug)
        found = {one.language: (one.state, own_address) for own_address, one in translations}
        rows.append(TermStates(name, address, [found.get(tag, ("", "")) for tag in tags]))
    rows.sort(key=lambda row: collation.order(row.name, site.language))
    return rows
