"""Finds the title of a project in its documentation and packaging files.

Each file is searched for one assignment with a regular expression; nothing is parsed or executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from sitegen.sources.git.process import Objects
from sitegen.sources.git.trees import Trees
from sitegen.text.decoding import decode

MAX_BYTES = 256 * 1024
MAX_TITLE = 60

QUOTED = r"\s*[=:]\s*u?[\"']([^\"'\n]+)[\"']"
YAML = r":[ \t]*[\"']?([^\"'\n#]+?)[\"']?[ \t]*(?:#.*)?$"
TITLED = {
    "conf.py": rf"^(?:project|html_title){QUOTED}",
    "mkdocs.yml": rf"^site_name{YAML}",
    "docusaurus.config.js": rf"^\s*title{QUOTED}",
    "docusaurus.config.ts": rf"^\s*title{QUOTED}",
    "antora.yml": rf"^title{YAML}",
    "hugo.toml": rf"^title{QUOTED}",
    "hugo.yaml": rf"^title{YAML}",
    "config.toml": rf"^title{QUOTED}",
    "config.yaml": rf"^title{YAML}",
    "book.toml": rf"^title{QUOTED}",
    "_config.yml": rf"^title{YAML}",
    "_quarto.yml": rf"^[ ]*title{YAML}",
}
"""Files with a title for readers, and the pattern of the title."""
NAMED = {
    "pyproject.toml": rf"^name{QUOTED}",
    "Cargo.toml": rf"^name{QUOTED}",
    "package.json": r"^\s*\"name\":\s*\"([^\"\n]+)\"",
    "README.md": r"^#[ \t]+([^\n]+?)[ \t]*#*$|^([^\n]+)\n=+$",
    "README.rst": r"^([^\n]+)\n[=*#]{3,}$",
}
"""Files with a project name, which is only used if it is a different spelling of the repository's name."""
GENERIC = re.compile(
    r"docs?|documentation|website|home|my (?:site|project|docs)|user guide|glossary|index|readme", re.I
)


def title_of(objects: Objects, trees: Trees, tree: str, *, path: str, name: str) -> str:
    """Returns the title of the project from the file nearest to `path`; empty if there is none.

    `name` is the name of the repository.
    """
    folders = [str(folder) for folder in PurePosixPath(path).parents]
    for patterns in (TITLED, NAMED):
        for folder in folders:
            for title in _titles(objects, trees, trees.below(tree, folder), patterns):
                is_name = bool(_letters(title)) and _letters(title) in (_letters(name), f"the{_letters(name)}")
                if (patterns is TITLED or is_name) and len(title) <= MAX_TITLE and not GENERIC.fullmatch(title):
                    return title
    return ""


def _titles(objects: Objects, trees: Trees, folder: str | None, patterns: dict[str, str]) -> Iterator[str]:
    files = trees.files(folder) if folder else {}
    for name, pattern in patterns.items():
        for blob in objects.read([files[name]], limit=MAX_BYTES) if name in files else ():
            text = decode(blob.data, path=name).text if blob.data is not None else None
            match = re.search(pattern, text, re.MULTILINE) if text else None
            found = next(filter(None, match.groups()), "") if match else ""
            title = re.sub(r"\s+(?:(?:user )?(?:documentation|docs|manual))$", "", found.strip(), flags=re.IGNORECASE)
            if title and title.isprintable() and not re.search(r"[<>{}\[\]$%!`|]", title):
                yield title


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
