"""Writes the terms as a CSV table (RFC 4180) for spreadsheets, protected against formula injection.

A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, even a quoted one, and a program that expects
semicolons or tabs finds cell boundaries inside our cells. So an apostrophe is inserted before each such sign at the
beginning of a cell and after each possible separator. Cells with several names have one name on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Life
from sitegen.site.exports import fit
from sitegen.site.exports.data import status
from sitegen.site.site import Site

COLUMNS = (
    "name slug url status other_names former_names definition source release synonym_of merged_into replaced_by"
).split()
# East Asian spreadsheets also accept the full-width forms of these signs.
_SIGN = re.compile(r"[=+\-@＝＋－＠]")
_FORMULA = re.compile(rf"""(?:^[\s"']*|[,;|\n\t][\s"']*)(?={_SIGN.pattern})""")
_MARK = "\ufeff"
"""The byte order mark, by which a spreadsheet detects UTF-8."""


def files(site: Site) -> Iterator[File]:
    """Yields the table: a header row, and one row for each term."""
    rows = (COLUMNS, *(_row(life, site) for life in site.lives))
    yield File(path=urls.SHEET, content=(_MARK + "".join(map(_line, rows))).encode())


def _row(life: Life, site: Site) -> Iterable[str]:
    slug = site.slugs[life.key]
    citation = life.entry.citation
    return (
        fit.line(life.name),
        slug,
        site.base_url + urls.term(slug),
        status(life),
        "\n".join(fit.line(name.text) for name in life.names[1:]),
        "\n".join(fit.line(name) for name, _ in life.former_names),
        fit.text(life.entry.definition.text),
        citation.source,
        citation.release,
        site.slugs[life.synonym_of] if life.synonym_of and not life.merged_into else "",
        site.slugs[life.merged_into] if life.merged_into else "",
        site.slugs[life.replaced_by] if life.replaced_by else "",
    )


def _line(cells: Iterable[str]) -> str:
    return ",".join(f'"{harmless(cell)}"' for cell in cells) + "\r\n"


def harmless(cell: str) -> str:
    """Returns the content of a quoted cell, escaped so that no spreadsheet evaluates any part of it."""
    if _SIGN.search(cell):
        cell = _FORMULA.sub(lambda match: f"{match[0]}'", cell.strip())
    return cell.strip().replace('"', '""')
