"""What site.toml says of the releases of one source: its [[release]] tables, and their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from sitegen.config.parsing import Config
from sitegen.config.tables import ReleaseTable, SourceTable
from sitegen.text.release_names import as_listed, declared_order


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredReleases:
    tables: tuple[ReleaseTable, ...] = ()
    """In the order of site.toml."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(table.name for table in self.tables)

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the names of releases in the order that site.toml declares. `names` are in the
        default order."""
        default_order = list(names)
        # By the dates, `as_listed` sees whether the tables are newest first.
        dates: dict[str, date | None] = {}
        for table in self.tables:
            is_first = table.name not in dates
            is_of_source = table.source != ""  # it counts more than one for all sources
            if table.name in default_order and (is_first or is_of_source):
                dates[table.name] = table.date
        return declared_order(default_order, as_listed([*dates.items()]))

    def table_of(self, name: str) -> ReleaseTable | None:
        """Returns the table of a release, or None. A table that names the source comes before one
        for all sources."""
        tables = [table for table in self.tables if table.name == name]
        for table in tables:
            if table.source:
                return table
        if tables:
            return tables[0]
        return None


NOTHING_DECLARED = DeclaredReleases()


def declared_releases(table: SourceTable, config: Config) -> DeclaredReleases:
    """Returns what is declared of the releases of a source."""
    # A table without a source is for all sources.
    tables = tuple(one for one in config.releases if one.source in ("", table.id))
    return DeclaredReleases(tables=tables)
