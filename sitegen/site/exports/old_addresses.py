"""Writes the data about what is no more: renames.json, and the data files at retired addresses."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports.feeds import feed
from sitegen.site.exports.inventory import inventory
from sitegen.site.exports.texts import one_line
from sitegen.site.site import Kept, Site
from sitegen.text import compact_json
from sitegen.text.markdown_escaping import escaped
from sitegen.text.names import fold


def renames(site: Site) -> Iterator[File]:
    """Yields renames.json: a list of old names with the current ones, and an object from old to new addresses.

    The names are former ones and those of merged terms, except those that a term in force has today.
    """
    in_force = {fold(name.text) for life in site.lives if life.is_defined for name in life.names}
    names: dict[str, dict[str, str]] = {}
    addresses: dict[str, str] = {}
    for life in site.lives:
        present = site.defining_term(life.key) if life.merged_into else life
        to = site.slugs[present.key]
        addresses |= {urls.term(slug): urls.term(to) for slug in site.slugs_of[life.key] if slug != to}
        dropped = [*life.former_names]
        if life.merged_into:
            merged = next(change for change in reversed(life.changes) if change.kind == "merged")
            dropped += [(name.text, merged.release) for name in life.names]
        for name, release in dropped:
            names.setdefault(fold(name), {"from": name, "to": present.name, "slug": to, "release": release})
    listed = [row for name, row in sorted(names.items()) if name not in in_force]
    data = {"base_url": site.base_url, "names": listed, "addresses": addresses}
    yield File(path=urls.RENAMES, content=(json.dumps(data, indent=1) + "\n").encode())


def retired(site: Site) -> Iterator[File]:
    """Yields the data files of all retired addresses: each keeps its format and contains only the reason."""
    for kept in site.kept:
        address = kept.row.address.removeprefix("/")
        paths: tuple[str, ...] = ()
        if kept.row.kind == "data":
            paths = (address,)
        elif kept.row.kind == "term":
            slug = urls.slug_in(address)
            feeds = (urls.term_feed(slug),) if site.base_url else ()
            paths = (urls.term_data(slug), urls.term_markdown(slug), *feeds)
        if not kept.has_page:
            yield from (File(path=path, content=_reason(path, kept, site)) for path in paths)


def _reason(path: str, kept: Kept, site: Site) -> bytes:
    """Returns the reason in the format of a file."""
    name = kept.row.name or path
    match path.rpartition(".")[2]:
        case "json":
            return f"{compact_json.text({'retired': kept.reason})}\n".encode()
        case "inv":
            return inventory(site.title, "", "")
        case "xml":
            return feed(site, urls.address(path.removesuffix(urls.feed(""))), f"{name}: {kept.reason}", ())
        case _:  # Markdown: other data files have no address that can retire
            return f"# {escaped(one_line(name))}\n\n{escaped(one_line(kept.reason))}\n".encode()
