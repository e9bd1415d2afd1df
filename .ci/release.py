"""Checks that a tag may be released, and prepares README for PyPI.

    python .ci/release.py v0.2.0 https://github.com/OWNER/REPOSITORY

The tag names the version of the package, the changelog has a dated section for it, the metadata
names the repository that the release is built in, and no page says that nothing is released yet.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def mistakes(tag: str, repository: str) -> Iterator[str]:
    """Yields what is wrong with a release of this checkout under a tag."""
    [version] = re.findall(
        r'^__version__ = "(.*)"$', (ROOT / "sitegen/__init__.py").read_text(), re.MULTILINE
    )
    if tag != f"v{version}":
        yield (
            f"the tag is {tag}, and sitegen/__init__.py says {version}: tag v{version}, or "
            f"change the version"
        )
    if not re.search(
        rf"^## {re.escape(version)} · \d{{4}}-\d\d-\d\d$",
        (ROOT / "CHANGELOG.md").read_text(),
        re.MULTILINE,
    ):
        yield f"CHANGELOG.md has no section “## {version} · <date>”"
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]
    if urls.get("Source") != repository:
        yield (
            f'pyproject.toml does not say where the source is: add Source = "{repository}" to '
            f"[project.urls]"
        )
    for page in (*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))):
        if re.search(r"nothing\s+is\s+(on\s+PyPI|released)\s+yet", page.read_text(), re.I):
            yield f"{page.relative_to(ROOT)} says that nothing is on PyPI yet"


def linked(text: str, tag: str, repository: str) -> str:
    """Returns README with absolute links, because PyPI shows it away from the repository."""
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{repository}/raw/{tag}/", text)
    return re.sub(
        r"((?<!!)\[[^\]]*\]\()(?!https?:|#)(?=[\w.])", rf"\1{repository}/blob/{tag}/", text
    )


if __name__ == "__main__":
    found = list(mistakes(*sys.argv[1:]))
    print(*found, sep="\n", file=sys.stderr)
    if found:
        sys.exit(1)
    readme = ROOT / "README.md"
    readme.write_text(linked(readme.read_text(encoding="utf-8"), *sys.argv[1:]), encoding="utf-8")
