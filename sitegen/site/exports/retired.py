"""Writes the data files at retired addresses: each keeps its format and contains only the reason."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports import atom, fit
from sitegen.site.exports.inventory import inventory
from sitegen.site.site import NO_DAY, Kept, Site
from sitegen.text import compact_json
from sitegen.text.markdown_escaping import escaped


def files(site: Site) -> Iterator[File]:
    """Yields the data files of all retired addresses."""
    for kept in site.kept:
        if not kept.has_page:
            yield from (File(path=path, content=_content(path, kept, site)) for path in _paths(kept, site))


def _paths(kept: Kept, site: Site) -> Iterator[str]:
    """Yields the path of a retired data file, or the paths of the data files of a retired term."""
    address = kept.row.address.removeprefix("/")
    if kept.row.kind == "data":
        yield address
    elif kept.row.kind == "term":
        slug = urls.slug_in(address)
        yield from (urls.term_data(slug), urls.term_markdown(slug))
        if site.base_url:
            yield urls.term_feed(slug)


def _content(path: str, kept: Kept, site: Site) -> bytes:
    name = kept.row.name or path
    match path.rpartition(".")[2]:
        case "json" | "jsonld":
            return f"{compact_json.text({'retired': kept.reason})}\n".encode()
        case "inv":
            return inventory(site.title, "", "")
        case "xml":
            page = urls.address(path.removesuffix(urls.feed("")))
            return atom.feed(
                id=site.base_url + path,
                page=site.base_url + page,
                title=f"{name}: {kept.reason}",
                author=site.title,
                language=site.language,
                day=NO_DAY,
                entries=(),
            )
        case "md":
            return f"# {escaped(fit.line(name))}\n\n{escaped(fit.line(kept.reason))}\n".encode()
        case _:
            return f"{fit.line(kept.reason)}\n".encode()
