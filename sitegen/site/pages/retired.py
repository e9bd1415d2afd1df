"""Pages at published addresses that nothing stands behind any more: what each stood for, and why it was retired."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.addresses.ledger import Row
from sitegen.addresses.owners import slug_of
from sitegen.site.messages import plain
from sitegen.site.pages.page import Desk, Page, Pen
from sitegen.site.site import Kept


def kept(desk: Desk) -> Iterator[Page]:
    """Gives a page for every retired address."""
    for one in desk.site.kept:
        if not one.stands and one.row.kind not in ("data", "site"):
            yield _page(one, desk)


def _page(one: Kept, desk: Desk) -> Page:
    address = one.row.address.removeprefix("/")
    pen = Pen(desk, urls.root(address))
    sentence = _stood_for(one.row, pen)
    return Page(
        address=address,
        template="pages/kept.html",
        title=one.row.name or plain(pen.say("kept.title")),
        description=plain(sentence),
        context={
            "name": one.row.name or pen.say("kept.title"),
            "sentence": sentence,
            "reason": pen.say("kept.reason", reason=one.reason),
            "living": _living(one.row, pen),
            "ids": tuple(id for id, _ in one.row.fragments),
        },
    )


def _stood_for(row: Row, pen: Pen) -> Markup:
    title = pen.desk.titles.get(row.source, row.source)
    match row.kind:
        case "term":
            span = "undated" if not row.first else "once" if row.last in ("", row.first) else "long"
            return pen.say(f"kept.term.{span}", name=row.name, source=title, first=row.first, last=row.last)
        case "frozen" | "release":
            return pen.say(f"kept.{row.kind}", name=row.name, source=title, first=row.first)
        case "compare":
            key = "kept.pair" if row.last else "kept.since"
            return pen.say(key, source=title, first=row.first, last=row.last)
        case _:
            return pen.say("kept.page")


def _living(row: Row, pen: Pen) -> Markup:
    """Where the term has a page, of which one wording is gone."""
    key = pen.desk.site.owners.get(slug_of(row.address)) if row.kind == "frozen" else None
    return pen.say("kept.living", term=pen.term(key)) if key else Markup()
