"""First builds of ordinary glossaries, each beside Hugo with Pagefind on as many pages of the same
text.

The glossaries are the work of others, and not in this repository: they are looked for in
`../shared/corpora`, or in the folder that SITEGEN_SHARED names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from others import OTHERS, Pages
from running import Cost, build, scratch

NAMES = ("redux", "sphinx", "vue", "twisted", "mercurial")
SHARED = Path(os.environ.get("SITEGEN_SHARED", Path(__file__).parents[2] / "shared")) / "corpora"


@dataclass(frozen=True, kw_only=True)
class Ordinary:
    """The cost of the builds of one glossary, and of Hugo; None if that is not installed."""

    name: str
    terms: int
    pages: int
    first: Cost
    hugo: Cost | None


def measure() -> Iterator[Ordinary]:
    """Yields the costs for each glossary that is there."""
    for content in (SHARED / name for name in NAMES):
        if content.is_dir():
            folder = scratch()
            site = folder / "site"
            first = build(content, site, "--no-ledger")
            pages = dict(_pages(site))
            terms = len({path.partition("/")[0] for path in pages})
            hugo = _hugo(folder / "hugo", pages)
            yield Ordinary(
                name=content.name,
                terms=terms,
                pages=len(pages),
                first=first,
                hugo=hugo,
            )


def _hugo(folder: Path, pages: Pages) -> Cost | None:
    hugo = OTHERS["hugo"]
    if hugo.program is None:
        return None
    hugo.lay_out(folder, pages)
    return hugo.build(folder)


def _pages(site: Path) -> Iterator[tuple[str, str]]:
    """Yields the definition of its term for each page of a term."""
    terms = {
        term["slug"]: term for term in json.loads((site / "glossary.json").read_text())["terms"]
    }
    for path in sorted((site / "term").rglob("index.html")):
        name = path.parent.relative_to(site / "term").as_posix()
        if term := terms.get(name.partition("/")[0]):
            yield name, f"# {term['name']}\n\n{term['definition']['text']}\n"
