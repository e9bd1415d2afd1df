"""Follows the remedies of a failed build: pastes them into site.toml, as a person would."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

FORMER_IDS = re.compile(r'(?:in|to) \[\[source\]\] id = "(\S+)", else .*\n *(formerly = .*)\n')
"""The line that a message adds to a [[source]], with the id of that."""


def paste(message: str, toml: Path, *, reason: str = "told") -> None:
    """Adds the printed lines to site.toml, or those of the file that the message names."""
    text = message
    if re.search("paste the tables in|, with [0-9]+ more remed", message):
        text = _report(message)
    text, former_ids = FORMER_IDS.subn(
        lambda found: _set_former_ids(*found.groups(), toml=toml), text
    )
    tables = re.findall(r"^ *(?:\[\[\w+\]\]$|\w+ = .*$|\".*\",$|\]$)", text, re.M)
    assert tables or former_ids, message
    toml.write_text(toml.read_text() + "\n" + "\n".join(tables).replace("…", reason) + "\n")
    tomllib.loads(toml.read_text())


def broken(message: str) -> list[str]:
    """Returns the addresses that a message, or its file, lists."""
    found = re.search(r"would break ([\d,]+) published address", message)
    assert found, message
    text = _report(message) if "all are listed in" in message else message
    addresses = list(dict.fromkeys(re.findall(r"^(?:#|  ?) ?(\S+): would ", text, re.M)))
    assert len(addresses) == int(found[1].replace(",", "")), message
    return addresses


def _report(message: str) -> str:
    name = re.search(r"(?:listed|paste is) in (\S+?\.toml)", message)
    assert name, message
    return Path(name[1]).read_text()


def _set_former_ids(id: str, line: str, *, toml: Path) -> str:
    """Writes the line `formerly` of the [[source]] with an id, in place of the line that it has."""
    header = f'id = "{id}"\n'
    before, after = toml.read_text().split(header)
    table, *others = re.split(r"^(?=\[)", after, maxsplit=1, flags=re.M)
    table = re.sub(r"^formerly = .*\n", "", table, flags=re.M)
    toml.write_text("".join([before, header, line, "\n", table, *others]))
    return ""
