"""What site.toml says of the releases of one source: its [[release]] tables, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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

    @property
    def _table_of_name(self) -> Mapping[str, ReleaseTable]:
        """The table of each release that counts, in the order of the first tables: the first one
        that names the source, else the first one for all sources."""
        table_of_name: dict[str, ReleaseTable] = {}
        for table in self.tables:
            first = table_of_name.setdefault(table.name, table)
            if table.source and not first.source:
                table_of_name[table.name] = table
        return table_of_name

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the names of releases in the order that site.toml declares. `names` are in the
        default order."""
        default_order = list(names)
        listed = []
        for name, table in self._table_of_name.items():
            if name in default_order:
                listed.append((name, table.date))
        return declared_order(default_order, as_listed(listed))

    def table_of(self, name: str) -> ReleaseTable | None:
        """Returns the table of a release, or None."""
        return self._table_of_name.get(name)


NOTHING_DECLARED = DeclaredReleases()


def declared_releases(table: SourceTable, config: Config) -> DeclaredReleases:
    """Returns what is declared of the releases of a source."""
    # A table without a source is for all sources.
    tables = tuple(one for one in config.releases if one.source in ("", table.id))
    return DeclaredReleases(tables=tables)
