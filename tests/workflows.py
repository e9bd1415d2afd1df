"""Configuration files of build services: those that `sitegen init` writes, and those of this repository."""

from __future__ import annotations

from pathlib import Path

from sitegen.config.docs_tools import DOCS_TOOLS
from sitegen.config.hosts import HOSTS, setup
from sitegen.site.templates import read_templates
from sitegen.tools.docs_site import docs_of

ROOT = Path(__file__).resolve().parent.parent
INSTALL = (
    'echo "sitegen-glossary==0.2.0 --hash=sha256:ab" > /tmp/sitegen.txt',
    "python -m pip install --no-deps --requirement /tmp/sitegen.txt",
)


def ours() -> list[Path]:
    """The workflows and actions of this repository."""
    return sorted([*(ROOT / ".github/workflows").glob("*.yml"), *ROOT.glob("action.yml")])


def written(folder: Path, host: str) -> list[Path]:
    """Writes the files that `sitegen init` makes for a host, alone and with each documentation tool."""
    paths = []
    for tool in ("", *(DOCS_TOOLS if HOSTS[host].builds_docs else ())):
        place = folder / (tool or "alone")
        settings = place / DOCS_TOOLS[tool].settings[0] if tool else None
        if settings:
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.touch()
        path = place / HOSTS[host].file
        path.parent.mkdir(parents=True, exist_ok=True)
        docs = docs_of(tool, place) if tool else None
        text = setup(HOSTS[host], read_templates(), branch="main", install=INSTALL, output="site", docs=docs)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
