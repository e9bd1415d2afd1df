"""Links to terms: `linked` returns the address and a quotation of one term, `annotated` links the
terms in a text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.integrations.documents import linkable, markup_of
from sitegen.integrations.mentions import Mentions, NameMention
from sitegen.integrations.published_terms import PublishedTerms, Term, Wording
from sitegen.model import SitegenError
from sitegen.text import markdown_escaping
from sitegen.text.names import exact

_NEXT_WORD = re.compile(r"(?:[ \t]+|[ \t]*\n[ \t]*)(\w+)")
_WORD_BEFORE = re.compile(r"(\w+)\**(?:[ \t]+|[ \t]*\n[ \t]*)\Z")
_NO_NOUNS = STOP_WORDS.union(
    "another before below between both different during each here many more new one over same "
    "several single such s"
    " then through under until used using via within without".split()
)
"""Words that do not make one noun of themselves and the word beside them."""
_BEFORE_RST_LINK = re.compile(r"""[\s'"(\[{<\-/:]""")
_AFTER_RST_LINK = re.compile(r"""[\s'")\]}>\-/\\.,;:!?]""")
"""The characters that may be beside inline markup of reStructuredText."""

NO_BASE_URL = (
    'links need the address of the site; add base_url = "https://…/" to [site] of site.toml'
)
LONG_TEXT = 2000
"""Characters of a document in which a term that it is about occurs more than once."""
LIKENESS = 70
"""The minimum similarity, of 100, of the names that an error message suggests."""


class TermLink(NamedTuple):
    """The address of a term, and a quotation in Markdown, as the copy buttons of its page have
    them."""

    address: str
    quotation: str


def linked(glossary: PublishedTerms, name: str, *, release: str = "") -> TermLink:
    """Returns a link to the term with this name, present or former; with a release, to the wording
    of that release.

    Without a base_url, addresses are relative to the root of the site. Raises `SitegenError` if
    there is no such term or release.
    """
    glossary.check_release(release)
    match = glossary.find(name)
    if match is None:
        like = similar_names(glossary, name)
        raise SitegenError(
            f"“{name}”: no term has this name" + (f"; did you mean {like}?" if like else "")
        )
    term = match.term
    wording = term.at(release) if release else term.defining_term.wording
    if wording is None:
        releases = ", ".join(one for one in glossary.releases if term.at(one))
        raise SitegenError(f"“{term.name}” was not defined in {release}; it was in {releases}")
    origin = _origin(glossary, term if release else term.defining_term, wording)
    quotation = f"{markdown_escaping.link(wording.name, wording.url)} — {origin}\n"
    return TermLink(
        wording.url if release else term.url, quotation + markdown_escaping.quotation(wording.text)
    )


def similar_names(glossary: PublishedTerms, name: str) -> str:
    """Returns up to three names that are like another one, in quotation marks; empty if there are
    none."""
    from rapidfuzz import process

    like = process.extract(
        name, [term.name for term in glossary.terms], limit=3, score_cutoff=LIKENESS
    )
    return ", ".join(f"“{similar}”" for similar, *_ in like)


def _origin(glossary: PublishedTerms, term: Term, wording: Wording) -> str:
    """Returns the title of a source, and the published releases that have a wording."""
    from sitegen.site.messages import catalog

    source = next(source for source in glossary.sources if source.id == wording.source)
    runs = [
        one for one in term.wordings if (one.source, one.since) == (wording.source, wording.since)
    ]
    numbers = [glossary.number(wording.source, one) or 0 for one in (wording.since, runs[-1].last)]
    having = [
        one.name for one in source.releases[numbers[0] : numbers[1] + 1] if not one.unreleased
    ]
    if not having:
        return markdown_escaping.literal(source.title)
    words = catalog(glossary.language)
    span = (
        having[0]
        if len(having) == 1
        else words.plain_text("table.span", first=having[0], last=having[-1])
    )
    return markdown_escaping.literal(f"{source.title} {span}")


def annotated(glossary: PublishedTerms, text: str, *, release: str = "", path: str = "") -> str:
    """Returns a text in which the first mention of every term is a link, in Markdown or
    reStructuredText.

    Code, links, headings and HTML are unchanged. With a release, links lead to the wordings of that
    release, and terms that it did not define are not linked. A term that the text already links to
    is not linked again. Raises `SitegenError` if the site has no base_url, or if no source has the
    release.
    """
    if not glossary.base_url:
        raise SitegenError(NO_BASE_URL)
    glossary.check_release(release)
    addresses = _addresses(glossary, release)
    names = _slugs_by_name(glossary, addresses)
    names_in = Mentions(names)
    mentions = [
        mention for words in linkable(text, path=path) for mention in names_in.find(text, *words)
    ]
    if glossary.language.split("-")[0] == "en":
        mentions = _clear(mentions, text, names)
    is_rst = markup_of(text, path) == "rst"
    link = "`{text} <{address}>`__" if is_rst else "[{text}]({address})"
    done = {slug for slug, address in addresses.items() if address in text}
    parts, end = [], 0
    for mention in mentions:
        slug = names[mention.name]
        if slug not in done and (not is_rst or _may_be_rst_link(text, mention)):
            done.add(slug)
            written = text[mention.start : mention.end]
            parts += [text[end : mention.start], link.format(text=written, address=addresses[slug])]
            end = mention.end
    return "".join((*parts, text[end:]))


def _slugs_by_name(glossary: PublishedTerms, slugs: Collection[str]) -> dict[str, str]:
    """Returns each name that only one of the terms with these slugs has, with the slug of that
    term."""
    found: dict[str, set[str]] = defaultdict(set)
    for term in glossary.terms:
        if term.slug in slugs:
            for name in term.names:
                found[exact(name.text)].add(term.slug)
    return {name: min(several) for name, several in found.items() if len(several) == 1}


def _addresses(glossary: PublishedTerms, release: str) -> dict[str, str]:
    """Returns the link of each term that is defined, or that was defined in the release, by the
    term's slug."""
    if not release:
        return {term.slug: term.url for term in glossary.terms if term.is_defined}
    return {term.slug: wording.url for term in glossary.terms if (wording := term.at(release))}


def _may_be_rst_link(text: str, mention: NameMention) -> bool:
    """Returns whether reStructuredText reads a link in place of a mention, by the characters in it
    and beside it."""
    before, after = text[mention.start - 1 : mention.start], text[mention.end : mention.end + 1]
    is_apart = (not before or _BEFORE_RST_LINK.match(before)) and (
        not after or _AFTER_RST_LINK.match(after)
    )
    return bool(is_apart) and set(text[mention.start : mention.end]).isdisjoint("`<>*_|\\")


def _clear(
    mentions: Iterable[NameMention], text: str, names: Mapping[str, str]
) -> list[NameMention]:
    """Returns the mentions without those single English words that may mean something else.

    `user agent` is no use of `user`, nor is `database user`: the words beside it must not be nouns.
    `CASCADE` is no use of `cascade`. In a long document, a word that occurs once is there in
    passing. `names` maps names to slugs.
    """
    clear = []
    for mention in mentions:
        word = text[mention.start : mention.end]
        before = _WORD_BEFORE.search(text, max(0, mention.start - 40), mention.start)
        beside = before, _NEXT_WORD.match(text, mention.end)
        is_ordinary = word.isalpha() and (word.islower() or word.istitle())
        is_spelled = not word.isalpha() or word in names or word.removesuffix("s") in names
        is_single = all(match is None or match[1].lower() in _NO_NOUNS for match in beside)
        if is_single if is_ordinary else is_spelled:
            clear.append((is_ordinary, mention))
    counts = Counter(names[mention.name] for _, mention in clear)
    return [
        mention
        for is_ordinary, mention in clear
        if not is_ordinary or len(text) < LONG_TEXT or counts[names[mention.name]] > 1
    ]
