"""Pages at addresses that are no longer in use: retired ones, and those of an earlier glossary
([[redirect]])."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, grouped
from sitegen.permanence.kept_pages import KeptPage
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.pages.page import Page, Writer
from sitegen.site.site import Site
from sitegen.text.names import heading_ids


def redirects(site: Site) -> Iterator[Page]:
    """Yields a page for each address of an earlier glossary. It leads to the list of all terms, and
    with the id of a term, as in `glossary.html#term-tensor`, to that term."""
    if not site.redirects:
        return
    terms = list(_terms_with_ids(site))
    for address in site.redirects:
        writer = Writer(site, address)
        heading = writer.say("a-z.title")
        target = writer.href(urls.A_TO_Z)
        yield Page(
            address=address,
            template="pages/moved.html",
            title=heading,
            canonical=urls.A_TO_Z,
            context={"heading": heading, "terms": terms, "target": target},
        )


def _terms_with_ids(site: Site) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the name, the address and the ids of each term. The ids are those that Sphinx gave it,
    such as `term-tensor`, and those of headings with its names, such as `tensor`."""
    sphinx_ids = grouped((key, id) for id, key in site.addresses.sphinx_ids.items())
    used_ids: set[str] = set()
    for life in site.lives:
        all_ids = [*sphinx_ids.get(life.key, ())]
        for name in life.all_names:
            all_ids += heading_ids(name)
        # An id that several terms could have belongs to the first.
        ids = [id for id in dict.fromkeys(all_ids) if id and id not in used_ids]
        used_ids.update(ids)
        yield life.name, site.address(life.key), ids


def kept(site: Site) -> Iterator[Page]:
    """Yields a page for every published address that the site has no other page for."""
    releases_by_slug = {urls.release_slug(name): name for name in site.by_release}
    for page in site.kept:
        yield _kept(page, releases_by_slug, Writer(site, page.address))


def _kept(page: KeptPage, releases_by_slug: Mapping[str, str], writer: Writer) -> Page:
    """Returns the page for a published address. It says what was there, why it is gone, and where
    to read on."""
    # A title of the interface is `Markup`, so the template does not mark it as words of the
    # glossary.
    name = page.name or writer.say("kept.title")
    sentence = _sentence(page, writer)
    living = _living(page, releases_by_slug, writer)
    reason = Markup()
    if page.reason:
        reason = writer.say("kept.reason", reason=page.reason)
    elif not living:  # the reason is unknown, and nothing else is to be said
        reason = writer.say("kept.gone")
    return Page(
        address=page.address,
        template="pages/kept.html",
        title=name,
        description=sentence,
        context={
            "name": name,
            "sentence": sentence,
            "reason": reason,
            "living": living,
            "ids": page.ids,
            "wordings": [_wording(entry, writer) for entry in page.wordings],
        },
    )


def _living(page: KeptPage, releases_by_slug: Mapping[str, str], writer: Writer) -> Markup:
    """Returns a link to the term or the release that the page was about; empty if it is gone."""
    # Earlier versions compared each release with the next one: `compare/1.0/2.0/`.
    compared, _, newer = page.address.rstrip("/").rpartition("/")
    if compared.startswith(urls.COMPARE) and newer in releases_by_slug:
        return writer.all_changes(releases_by_slug[newer])
    if page.term:
        return writer.say("kept.living", term=writer.term(page.term))
    return Markup()


def _wording(entry: Entry, writer: Writer) -> Mapping[str, Markup]:
    """Returns a published definition, with the source and the release that had it."""
    place = entry.place
    title = writer.site.source_title(place.source)
    # References of what is gone lead nowhere.
    html = definition_html(entry.definition, LinkAddresses())
    return {"label": writer.text(f"{title} {place.release}".strip()), "definition": html}


def _sentence(page: KeptPage, writer: Writer) -> Markup:
    """Returns the sentence on what a page used to show."""
    if not page.wordings:
        is_of_release = page.address.startswith(urls.RELEASES)  # or of all its terms
        return writer.say("kept.release" if is_of_release else "kept.page", name=page.name)
    first = page.wordings[0].place
    last = page.wordings[-1].place
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
