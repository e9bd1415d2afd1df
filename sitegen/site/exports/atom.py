"""Writes Atom feeds and entries (RFC 4287). The values are chosen in `feeds`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sitegen.site.exports import fit

_FEED = """\
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">
<id>{id}</id>
<title>{title}</title>
<link rel="self" type="application/atom+xml" href="{id}"/>
<link rel="alternate" type="text/html" href="{page}"/>
<updated>{day}T00:00:00Z</updated>
<author><name>{author}</name></author>
"""

_ENTRY = """\
<entry>
<id>{id}</id>
<title>{title}</title>
<link rel="alternate" type="text/html" href="{page}"/>
<updated>{day}T00:00:00Z</updated>
<content type="html">{html}</content>
</entry>
"""


def feed(*, id: str, page: str, title: str, author: str, language: str, day: date, entries: Iterable[str]) -> bytes:
    """Returns a feed. `id` is the absolute address of the feed, `page` that of its HTML page."""
    head = _FEED.format(
        id=fit.xml(id),
        page=fit.xml(page),
        title=fit.xml(fit.line(title)),
        author=fit.xml(fit.line(author)),
        language=language,
        day=day.isoformat(),
    )
    return "".join((head, *entries, "</feed>\n")).encode()


def entry(*, id: str, page: str, title: str, day: date, html: str) -> str:
    """Returns an entry whose content is escaped HTML."""
    return _ENTRY.format(
        id=fit.xml(id), page=fit.xml(page), title=fit.xml(fit.line(title)), day=day.isoformat(), html=fit.xml(html)
    )
