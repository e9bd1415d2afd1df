"""Links to terms: `linked` returns the address or a quotation of one term, `annotated` links the terms in a text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from lunr.stop_word_filter import WORDS as STOP_WORDS
from rapidfuzz import process

from sitegen.addresses import urls
from sitegen.history.references import Resolver
from sitegen.model import Entry, SitegenError
from sitegen.model.terms import Life
from sitegen.site.pages import PageData
from sitegen.site.pages.page import Writer
from sitegen.site.pages.term import Copies, copies, wording_address
from sitegen.site.site import Site
from sitegen.text.names import exact
from sitegen.tools.documents import Mentions, NameMention, is_rst, linkable

_NEXT_WORD = re.compile(r"(?:[ \t]+|[ \t]*\n[ \t]*)(\w+)")
_NO_NOUNS = STOP_WORDS.union(
    "before below between both during here more over such then through under until used using via within".split()
)
"""Words that do not make one noun of themselves and the word before them."""

NO_BASE_URL = 'site.toml: links need the address of the site; add base_url = "https://…/" to [site]'
LONG_TEXT = 2000
"""Characters of a document in which a term that it is about occurs more than once."""
LIKENESS = 70
"""The minimum similarity, of 100, of the names that an error message suggests."""


def linked(site: Site, name: str, *, release: str = "") -> Copies:
    """Returns a link to the term with this name, present or former; with a release, to the wording of that release.

    Without a base_url, addresses are relative to the root of the site. Raises `SitegenError` if there is no such term
    or release.
    """
    _check_release(site, release)
    key = Resolver((life.term for life in site.lives), language=site.language).resolve(name)
    if key is None:
        like = process.extract(name, [life.name for life in site.lives], limit=3, score_cutoff=LIKENESS)
        advice = ", ".join(f"“{similar}”" for similar, *_ in like)
        raise SitegenError(f"“{name}”: no term has this name" + (f"; did you mean {advice}?" if advice else ""))
    life, shared = site.by_key[key], PageData(site)
    shown_entry, address = site.defining_term(key).entry, shared.address(key)
    if release:
        entry = _entry_at(life, release)
        if entry is None:
            entries = (entry for lane in life.term.lanes for entry in lane.entries if entry)
            releases = ", ".join(dict.fromkeys(entry.place.release for entry in entries))
            raise SitegenError(f"“{life.name}” was not defined in {release}; it was in {releases}")
        shown_entry, address = entry, wording_address(life, entry, shared)
    return copies(life, shown_entry, address=address, writer=Writer(shared, urls.root("")))


def _check_release(site: Site, release: str) -> None:
    """Raises `SitegenError` if no source has the release."""
    if release and not site.releases(release):
        names = ", ".join(site.release_names())
        raise SitegenError(f"no source has the release {release}" + (f"; it is one of {names}" if names else ""))


def _entry_at(life: Life, release: str) -> Entry | None:
    """Returns the entry of the first source that defined a term in a release, or None."""
    return next(filter(None, [lane.at(release) for lane in life.term.lanes]), None)


def annotated(site: Site, text: str, *, release: str = "", path: str = "") -> str:
    """Returns a text in which the first mention of every term is a link.

    The text is reStructuredText if its path has that suffix, else Markdown.

    Code, links, headings and HTML are unchanged. With a release, links lead to the wordings of that release, and
    terms that it did not define are not linked. A term that the text already links to is not linked again. Raises
    `SitegenError` if the site has no base_url, or if no source has the release.
    """
    if not site.base_url:
        raise SitegenError(NO_BASE_URL)
    _check_release(site, release)
    addresses = _addresses(site, release)
    keys: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        if life.key in addresses:
            for name in life.names:
                keys[exact(name.text)].add(life.key)
    names = {name: min(several) for name, several in keys.items() if len(several) == 1}
    names_in = Mentions(names)
    mentions = [mention for words in linkable(text, path=path) for mention in names_in.find(text, *words)]
    if site.language.split("-")[0] == "en":
        mentions = _clear(mentions, text, names)
    link = "`{text} <{address}>`__" if is_rst(path) else "[{text}]({address})"
    done = {key for key, address in addresses.items() if address in text}
    parts, end = [], 0
    for mention in mentions:
        key = names[mention.name]
        if key not in done:
            done.add(key)
            written = text[mention.start : mention.end]
            parts += [text[end : mention.start], link.format(text=written, address=addresses[key])]
            end = mention.end
    return "".join((*parts, text[end:]))


def _addresses(site: Site, release: str) -> dict[str, str]:
    """Returns the link of each term that is defined, or that was defined in the release, by the term's key."""
    shared = PageData(site)
    addresses = {}
    for life in site.lives:
        if release:
            if entry := _entry_at(life, release):
                addresses[life.key] = shared.absolute(wording_address(life, entry, shared))
        elif life.is_defined:
            addresses[life.key] = shared.absolute(shared.address(life.key))
    return addresses


def _clear(mentions: Iterable[NameMention], text: str, names: Mapping[str, str]) -> list[NameMention]:
    """Returns the mentions without those single English words that may mean something else.

    `user agent` is no use of `user`: the word that follows must not be a noun. `CASCADE` is no use of `cascade`. In a
    long document, a word that occurs once is there in passing. `names` maps names to the keys of their terms.
    """
    clear = []
    for mention in mentions:
        word, following = text[mention.start : mention.end], _NEXT_WORD.match(text, mention.end)
        is_ordinary = word.isalpha() and (word.islower() or word.istitle())
        is_spelled = not word.isalpha() or word in names or word.removesuffix("s") in names
        if (following is None or following[1].lower() in _NO_NOUNS) if is_ordinary else is_spelled:
            clear.append((is_ordinary, mention))
    counts = Counter(names[mention.name] for _, mention in clear)
    return [
        mention
        for is_ordinary, mention in clear
        if not is_ordinary or len(text) < LONG_TEXT or counts[names[mention.name]] > 1
    ]
