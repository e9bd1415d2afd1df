"""Pages at addresses that are no longer in use: retired ones, and those of an earlier glossary
([[redirect]])."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.addresses.slugs import heading_id
from sitegen.model import grouped
from sitegen.permanence.ledger import LedgerRow
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page, PageData, Writer


def redirects(data: PageData) -> Iterator[Page]:
    """Yields the page of every redirect."""
    terms = list(_ids(data)) if data.site.redirects else []
    for address in data.site.redirects:
        writer = Writer(data, urls.root(address))
        heading, target = writer.say("a-z.title"), writer.href(urls.A_TO_Z)
        yield Page(
            address=address,
            template="pages/moved.html",
            title=plain(heading),
            canonical=urls.A_TO_Z,
            context={"heading": heading, "terms": terms, "target": target},
        )


def _ids(data: PageData) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the name, the address and the ids of each term. Of terms that share an id, the first
    one has it."""
    sphinx = grouped((key, id) for id, key in data.site.permanence.sphinx_ids.items())
    used: set[str] = set()
    for life in data.site.lives:
        names = [*(name.text for name in life.names), *(name for name, _ in life.former_names)]
        own = dict.fromkeys([*sphinx.get(life.key, ()), *map(heading_id, names)])
        ids = [id for id in own if id and id not in used]
        used.update(ids)
        yield life.name, data.address(life.key), ids


def kept(data: PageData) -> Iterator[Page]:
    """Yields a page for every retired address."""
    for retired in data.site.permanence.kept:
        if retired.has_page or retired.row.kind in ("data", "site"):
            continue
        address = retired.row.address.removeprefix("/")
        writer = Writer(data, urls.root(address))
        sentence = _meaning(retired.row, writer)
        yield Page(
            address=address,
            template="pages/kept.html",
            title=retired.row.name or plain(writer.say("kept.title")),
            description=plain(sentence),
            context={
                "name": retired.row.name or writer.say("kept.title"),
                "sentence": sentence,
                "reason": writer.say(
                    "kept.reason", reason=retired.reason or writer.say("kept.no-reason")
                ),
                "living": [
                    writer.say("kept.living", term=writer.term(key)) for key in retired.terms
                ],
                "ids": [id for id, _ in retired.row.fragments],
            },
        )


def _meaning(row: LedgerRow, writer: Writer) -> Markup:
    title = writer.data.titles.get(row.source, row.source)
    match row.kind:
        case "term":
            span = "undated" if not row.first else "once" if row.last in ("", row.first) else "long"
            return writer.say(
                f"kept.term.{span}", name=row.name, source=title, first=row.first, last=row.last
            )
        case "frozen" | "release":
            return writer.say(f"kept.{row.kind}", name=row.name, source=title, first=row.first)
        case "compare":
            key = "kept.pair" if row.last else "kept.since"
            return writer.say(key, source=title, first=row.first, last=row.last)
        case _:
            return writer.say("kept.page")
