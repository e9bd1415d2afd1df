"""Pages at the addresses of an earlier glossary, which redirect to the terms. site.toml has them in [[redirect]].

Each page lists every term under the ids that other tools give it, so that an old link ends at the right line without
scripts: those of Sphinx (`#term-snapshot`) and those of headings in Markdown (`#snapshot`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.addresses.slugs import heading_id
from sitegen.model.terms import Life
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page, PageData, Writer


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
