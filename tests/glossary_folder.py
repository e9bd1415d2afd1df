"""A small glossary on disk: two sources, three releases, and one name in both sources."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SITE = """\
[site]
base_url = "https://example.org/words/"

"""

LIBRARY = '[[source]]\nid = "library"\nfolder = "library"\n\n'
MANUAL = '[[source]]\nid = "manual"\nfolder = "manual"\n\n'


def glossary(**terms: str) -> str:
    return "# Glossary\n\n" + "".join(
        f"## {name.replace('_', ' ')}\n\n{text}\n\n" for name, text in terms.items()
    )


KERNEL = {
    "Kernel": "What runs on a device, once for each element.",
    "Volume": "A disk that is not there.",
}

FILES = {
    "site.toml": SITE + LIBRARY + MANUAL,
    "library/1.0/GLOSSARY.md": glossary(ATen="A tensor library.", **KERNEL),
    "library/1.1/GLOSSARY.md": glossary(ATen="The tensor library of it all.", **KERNEL),
    "library/1.1/nodes.md": glossary(
        Leaf_node="Where nothing grows any more.", Root_node="Where all of it begins."
    ),
    "manual/2.0/GLOSSARY.md": glossary(
        Volume="How loud it is.", Widget="What is shown on a screen."
    ),
}


def write(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Writes these files below a folder, and returns it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def everything(*folders: Path) -> dict[str, bytes]:
    """Returns the content of every file below these folders."""
    files = (path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): path.read_bytes() for path in files}
