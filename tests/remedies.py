"""Follows the remedies of a failed build: pastes them into site.toml, as a person would."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path


def paste(message: str, toml: Path, *, reason: str = "…") -> None:
    """Adds the printed lines to site.toml, or those of the file that the message names."""
    text = message
    if re.search("what to paste is in|more remedies", message):
        text = _report(message)
    _add_former_id(text, toml)
    tables = re.findall(r"^ *(?:\[\[\w+\]\]$|(?!formerly)\w+ = .*$|\".*\",$|\]$)", text, re.M)
    assert tables or "formerly" in text, message
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
    name = re.search(r"(?:listed|paste is) in (\S+?);?$", message, re.M)
    assert name, message
    return Path(name[1]).read_text()


def _add_former_id(text: str, toml: Path) -> None:
    for former, id in re.findall(r'the source (\S+) is gone.* \[\[source\]\] id = "(\S+)"', text):
        line = f'id = "{id}"\n'
        assert line in toml.read_text()
        toml.write_text(toml.read_text().replace(line, f'{line}formerly = "{former}"\n', 1))
