"""Pages at addresses that are no longer in use: retired ones, and those of an earlier glossary
([[redirect]])."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, grouped
from sitegen.permanence.term_addresses import KeptPage
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.text.names import heading_id


def redirects(data: PageData) -> Iterator[Page]:
    """Yields a page for each address of an earlier glossary. It leads to the list of all terms, and
    with the id of a term, as in `glossary.html#term-tensor`, to that term."""
    if not data.site.redirects:
        return
    terms = list(_terms_with_ids(data))
    for address in data.site.redirects:
        writer = Writer(data, urls.root(address))
        heading = writer.say("a-z.title")
        target = writer.href(urls.A_TO_Z)
        yield Page(
            address=address,
            template="pages/moved.html",
            title=plain(heading),
            canonical=urls.A_TO_Z,
            context={"heading": heading, "terms": terms, "target": target},
        )


def _terms_with_ids(data: PageData) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the name, the address and the ids of each term: those of Sphinx, `term-tensor`, and
    those of headings with its names, `tensor`. Of terms that share an id, the first one has it."""
    sphinx = grouped((key, id) for id, key in data.site.addresses.sphinx_ids.items())
    used: set[str] = set()
    for life in data.site.lives:
        names = [name.text for name in life.names]
        names += [name for name, _ in life.former_names]
        own = dict.fromkeys([*sphinx.get(life.key, ()), *map(heading_id, names)])
        ids = [id for id in own if id and id not in used]
        used.update(ids)
        yield life.name, data.site.address(life.key), ids


def kept(data: PageData) -> Iterator[Page]:
    """Yields the page of every published address at which nothing else is now."""
    for one in data.site.addresses.kept:
        writer = Writer(data, urls.root(one.address))
        unnamed = writer.say("kept.title")
        sentence = _meaning(one, writer)
        living = Markup()
        if one.term:
            living = writer.say("kept.living", term=writer.term(one.term))
        yield Page(
            address=one.address,
            template="pages/kept.html",
            title=one.name or plain(unnamed),
            description=plain(sentence),
            context={
                "name": one.name or unnamed,
                "sentence": sentence,
                "reason": _reason(one, writer),
                "living": living,
                "ids": one.ids,
                "wordings": [_wording(entry, writer) for entry in one.wordings],
            },
        )


def _reason(page: KeptPage, writer: Writer) -> Markup:
    """Returns why the words of a page are gone; nothing if that is unknown and a term follows."""
    if page.reason:
        return writer.say("kept.reason", reason=page.reason)
    if page.term:
        return Markup()
    return writer.say("kept.gone")


def _wording(entry: Entry, writer: Writer) -> Mapping[str, Markup]:
    """Returns a published definition, with the source and the release that had it."""
    place = entry.place
    title = writer.site.source_title(place.source)
    # References of what is gone lead nowhere.
    html = definition_html(entry.definition, LinkAddresses())
    return {"label": writer.text(f"{title} {place.release}".strip()), "definition": html}


def _meaning(page: KeptPage, writer: Writer) -> Markup:
    """Returns what a page used to show."""
    if not page.wordings:
        is_release = page.address.startswith(urls.RELEASES)
        return writer.say("kept.release" if is_release else "kept.page", name=page.name)
    first, last = page.wordings[0].place, page.wordings[-1].place
    title = writer.site.source_title(first.source)
    if not urls.is_of_term(page.address):
        key = "kept.frozen"
    elif not first.release:
        key = "kept.term.undated"
    elif first.release == last.release:
        key = "kept.term.once"
    else:
        key = "kept.term.long"
    return writer.say(key, name=page.name, source=title, first=first.release, last=last.release)
