"""The [[corrected]] tables that accept words which differ from the published ones (`sitegen
correct`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from sitegen.config.toml import TomlValue, table
from sitegen.model import Notify, SitegenError
from sitegen.permanence.ledger_file import ledger_store_in
from sitegen.pipeline.site_build import broken_promises, read_site
from sitegen.sources.projects import Project
from sitegen.text.names import fold
from sitegen.tools.document_files import read_document, write_document


@dataclass(frozen=True, kw_only=True, slots=True)
class Correction:
    """The terms of a release whose words differ from the published ones."""

    values: dict[str, TomlValue]
    """The values of the table, without reason and date."""
    words: tuple[tuple[str, str], ...]
    """Each term with its present words; empty if the release does not have it any more."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to show."""
        yield f"{self.values['source']} {self.values['release']}:"
        yield from (f"  {name}: {words or 'no longer there'}" for name, words in self.words)


def corrections(project: Project, *, notify: Notify) -> tuple[Correction, ...]:
    """Returns a correction for each release that is read with other words than published.

    Raises as a build does, and where only other remedies keep what was published.
    """
    inputs, site = read_site(project, ledger_store_in(project.folder), notify=notify)
    found, others = [], []
    for remedy in broken_promises(site, inputs):
        tables = [
            values for text in remedy.tables for values in tomllib.loads(text).get("corrected", ())
        ]
        others += [] if tables else [str(remedy)]
        for values in tables:
            names = [values["term"]] if isinstance(values["term"], str) else values["term"]
            read = [
                release
                for source in site.sources
                for release in source.releases
                if (source.id, release.name) == (values["source"], values["release"])
            ]
            present = {
                fold(entry.name): entry.definition.text for one in read for entry in one.entries
            }
            words = tuple((name, present.get(fold(name), "")) for name in names)
            kept = {key: values[key] for key in ("source", "release", "words")}
            if read:  # else another remedy says why the release is not read
                found.append(Correction(values={**kept, "term": tuple(names)}, words=words))
    if others and not found:
        raise SitegenError("\n".join(others))
    return tuple(found)


def write(file: Path, correction: Correction, *, reason: str, day: date) -> None:
    """Adds a correction to site.toml. Raises `SitegenError` if it cannot be written."""
    text = read_document(file) if file.exists() else ""
    values = {**correction.values, "reason": reason, "date": day}
    write_document(file, f"{text.rstrip()}\n\n{table('[[corrected]]', values)}".lstrip())
