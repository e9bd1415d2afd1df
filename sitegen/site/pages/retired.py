"""Pages at addresses that are no longer in use: retired ones, and those of an earlier glossary ([[redirect]])."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.addresses.ledger import LedgerRow
from sitegen.addresses.slugs import heading_id
from sitegen.model.terms import Life
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.site import Kept


def redirects(data: PageData) -> Iterator[Page]:
    """Yields the page of every redirect."""
    for address in data.site.redirects:
        writer = Writer(data, urls.root(address))
        yield Page(
            address=address,
            template="pages/moved.html",
            title=plain(writer.say("a-z.title")),
            canonical=urls.A_TO_Z,
            context={
                "heading": writer.say("a-z.title"),
                "terms": tuple(_terms(data, writer)),
                "target": urls.link(urls.A_TO_Z, writer.root),
            },
        )


def _terms(data: PageData, writer: Writer) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yields the name, the link and the ids of each term. Of terms that share an id, the first one has it."""
    sphinx: dict[str, list[str]] = defaultdict(list)
    for id, key in data.site.sphinx_ids.items():
        sphinx[key].append(id)
    taken: set[str] = set()
    for life in data.site.lives:
        ids = [id for id in dict.fromkeys([*sphinx[life.key], *_heading_ids(life)]) if id not in taken]
        taken.update(ids)
        yield life.name, urls.link(data.address(life.key), writer.root), tuple(ids)


def _heading_ids(life: Life) -> Iterator[str]:
    names = [*(name.text for name in life.names), *(name for name, _ in life.former_names)]
    yield from filter(None, (heading_id(name) for name in names))


def kept(data: PageData) -> Iterator[Page]:
    """Yields a page for every retired address."""
    for one in data.site.kept:
        if not one.has_page and one.row.kind not in ("data", "site"):
            yield _page(one, data)


def _page(one: Kept, data: PageData) -> Page:
    address = one.row.address.removeprefix("/")
    writer = Writer(data, urls.root(address))
    sentence = _meaning(one.row, writer)
    return Page(
        address=address,
        template="pages/kept.html",
        title=one.row.name or plain(writer.say("kept.title")),
        description=plain(sentence),
        context={
            "name": one.row.name or writer.say("kept.title"),
            "sentence": sentence,
            "reason": writer.say("kept.reason", reason=one.reason),
            "living": _living(one.row, writer),
            "ids": tuple(id for id, _ in one.row.fragments),
        },
    )


def _meaning(row: LedgerRow, writer: Writer) -> Markup:
    title = writer.data.titles.get(row.source, row.source)
    match row.kind:
        case "term":
            span = "undated" if not row.first else "once" if row.last in ("", row.first) else "long"
            return writer.say(f"kept.term.{span}", name=row.name, source=title, first=row.first, last=row.last)
        case "frozen" | "release":
            return writer.say(f"kept.{row.kind}", name=row.name, source=title, first=row.first)
        case "compare":
            key = "kept.pair" if row.last else "kept.since"
            return writer.say(key, source=title, first=row.first, last=row.last)
        case _:
            return writer.say("kept.page")


def _living(row: LedgerRow, writer: Writer) -> Markup:
    """Returns a link to the page of the term, if only a wording of it was retired."""
    key = writer.data.site.owners.get(urls.slug_in(row.address)) if row.kind == "frozen" else None
    return writer.say("kept.living", term=writer.term(key)) if key else Markup()
