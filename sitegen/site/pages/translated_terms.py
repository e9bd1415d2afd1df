"""What pages show of the languages of a site: links to the other languages, and the states of
translations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model.terms import ChangeKind
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import plain
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import Page, PageData, Writer, raised
from sitegen.site.site import Site
from sitegen.text import collation

if TYPE_CHECKING:
    from sitegen.history.translation_states import Translation

WITHOUT_TEXT = frozenset({"missing", "unpaired"})
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
SAME = frozenset({urls.A_TO_Z, urls.RELEASES, urls.MATRIX, urls.COMPARE, urls.ABOUT, urls.SEARCH})
"""Pages that every language has, besides the first."""


def language_links(site: Site, address: str, root: str) -> list[tuple[str, str]]:
    """Returns the tags of all languages with links to a page: to the same term or page, else to the
    first page."""
    own = site.alternates.get(urls.slug_in(address), {})
    page = address if address in SAME else urls.HOME
    top = f"{root}../" if site.folder else root
    return [(tag, urls.link(own.get(tag, folder + page), top)) for tag, _, folder in site.languages]


def language_style(site: Site, style: str) -> bytes:
    """Returns the style of the choice of a language. The names of the languages are in it, not in
    each page."""
    style += "\n"
    for one in site.languages:
        style += f'.languages [lang="{one.tag}"]::before {{ content: "{one.name}" }}\n'
    return style.encode()


def translation_of(slug: str, writer: Writer) -> Mapping[str, Any] | None:
    """Returns what the page of a translated term says about its original; None in the site of the
    originals."""
    site = writer.site
    if not site.folder or slug not in site.translations:
        return None
    ((_, one),) = site.translations[slug]
    language, original = site.languages[0].tag, one.original
    own = site.alternates.get(slug, {}).get(language)
    difference = _difference(one, writer)
    if difference:
        marked, before, after = map(
            raised, (difference.marked, difference.before, difference.after)
        )
        difference = difference._replace(marked=marked, before=before, after=after)
    definition = Markup()
    if not difference and one.state != "up-to-date":
        definition = raised(definition_html(original.definition, LinkAddresses()))
    link = Markup()
    if own:
        link = Markup('<a href="{}" lang="{}" hreflang="{}">{}</a>').format(
            urls.link(own, f"{writer.root}../"), language, language, original.name
        )
    return {
        "state": one.state,
        "sentence": _sentence(one, writer),
        "language": language,
        "link": link,
        "difference": difference,
        "original": definition,
    }


def _sentence(one: Translation, writer: Writer) -> Markup:
    """Returns how far a translation is behind, and since when."""
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
    kept = {one.address.removeprefix("/") for one in site.addresses.kept}
    for slug, ((_, one),) in site.translations.items():
        address, title = urls.term(slug), one.original.name
        is_taken = slug in site.addresses.pages or address in kept
        if one.state in WITHOUT_TEXT and not is_taken:
            translation = translation_of(slug, Writer(data, urls.root(address), address))
            context = {"name": title, "translation": translation}
            yield Page(
                address=address, template="pages/untranslated.html", title=title, context=context
            )


class TranslatedTerm(NamedTuple):
    """A term on the page about one language."""

    name: Markup
    """A link to its page."""
    original: str
    sentence: Markup
    """Since when the translation is behind."""
    changed: Markup
    """The number of words that changed in the original; empty if it is not known."""
    edit: str
    """The address for editing the translation; empty if it is not known."""


def _of_language(data: PageData) -> Page:
    """Returns the page about one language: its terms by state, those that are behind first, and
    those that need no work last."""
    from sitegen.history.translation_states import STATES  # only sites with translations need it

    writer = Writer(data, urls.root(urls.TRANSLATIONS))
    found = defaultdict(list)
    for slug, ((_, one),) in data.site.translations.items():
        found[one.state].append(_row(slug, one, writer))
    in_order = [state for state in STATES if state not in ("behind", "up-to-date")]
    states = []
    for state in ("behind", *in_order, "up-to-date"):
        if found[state]:
            states.append((state, found[state]))
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/language.html",
        title=plain(writer.say("translations.title")),
        context={"states": states, "language": data.site.languages[0].tag},
    )


def _row(slug: str, one: Translation, writer: Writer) -> TranslatedTerm:
    entry, difference = one.translation, _difference(one, writer)
    shown = entry or one.original
    return TranslatedTerm(
        name=writer.link(shown.name, urls.term(slug)),
        original=one.original.name,
        sentence=_sentence(one, writer),
        changed=difference.summary if difference else Markup(),
        edit=writer.edit_address(entry) if entry else "",
    )


def _overview(data: PageData) -> Page:
    from sitegen.history.translation_states import STATES  # only sites with translations need it

    site = data.site
    counts: Counter[tuple[str, str]] = Counter()
    languages = [one for one in site.languages if one.folder]
    rows = []
    for slug, several in site.translations.items():
        states_of = {}
        for own_address, one in several:
            counts[one.language, one.state] += 1
            states_of[one.language] = (one.state, own_address)
        name, address = several[0][1].original.name, ""
        if page := site.addresses.pages.get(slug):
            name, address = site.by_key[page.key].name, urls.term(slug)
        rows.append((name, address, [states_of.get(one.tag, ("", "")) for one in languages]))
    rows.sort(key=lambda row: collation.order(row[0], site.language))
    found = {state for _, state in counts}
    states = [state for state in STATES if state in found]
    coverage = []
    for language in languages:
        coverage.append((language, [(state, counts[language.tag, state]) for state in states]))
    writer = Writer(data, urls.root(urls.TRANSLATIONS))
    legend = [(state, writer.say(f"state.{state}.meaning")) for state in states]
    return Page(
        address=urls.TRANSLATIONS,
        template="pages/translations.html",
        title=plain(writer.say("translations.title")),
        context={
            "legend": legend,
            "kinds": KINDS_OF_STATES,
            "coverage": coverage,
            "rows": rows,
        },
    )
