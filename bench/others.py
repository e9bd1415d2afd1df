"""Other generators on the same content: Hugo, Sphinx and MkDocs render as many plain pages.

Theirs have one bare layout, no differences and no data: each term's page has its wordings one below
the other, and each wording a page of its own. Pagefind adds the search to Hugo's, where it is
installed. They run in turns with ours, so that what else the machine does meets both.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import glossary
from glossary import Format, Release
from running import Cost, build, run, scratch

RELEASES = 10
Pages = Mapping[str, str]
"""Path without suffix to text in Markdown."""


@dataclass(frozen=True, kw_only=True)
class Other:
    """Another generator."""

    command: str
    lay_out: Callable[[Path, Pages], None]
    """Writes what it needs into a folder."""
    arguments: tuple[str, ...]
    """To build what is in the folder it runs in, into `site`."""
    then: tuple[str, ...] = ()
    """A command that adds to the site, if it is installed."""

    @property
    def program(self) -> str | None:
        """Returns the path of the program; None if it is not installed."""
        return _installed(self.command)

    def build(self, folder: Path) -> Cost:
        _put_aside(folder / "site")
        cost = run(str(self.program), *self.arguments, folder=folder)
        if self.then and (program := _installed(self.then[0])):
            cost += run(program, *self.then[1:], folder=folder)
        return cost


def _installed(command: str) -> str | None:
    others = Path("build/others").resolve()
    # The package pagefind-bin has the program, but no command.
    beside = (
        Path(sys.executable).parent,
        others / "bin",
        *others.glob("lib/*/site-packages/pagefind_bin"),
    )
    return shutil.which(command) or shutil.which(command, path=":".join(map(str, beside)))


@dataclass(frozen=True, kw_only=True)
class Race:
    """Runs in turns with another generator, and the number of term and wording pages of each."""

    other: str
    terms: int
    pages: int
    other_pages: int
    ours: tuple[Cost, ...]
    theirs: tuple[Cost, ...]

    def ratios(self) -> list[float]:
        """Returns for each build how many times as long as theirs ours took, by wall time and
        page."""
        return [
            self._share(mine.seconds, their.seconds)
            for mine, their in zip(self.ours, self.theirs, strict=True)
        ]

    def cpu_ratios(self) -> list[float]:
        return [
            self._share(mine.cpu_seconds, their.cpu_seconds)
            for mine, their in zip(self.ours, self.theirs, strict=True)
        ]

    def _share(self, mine: float, theirs: float) -> float:
        return (mine / self.pages) / (theirs / self.other_pages)


def race(name: str, terms: int, *, rounds: int, format: Format) -> Race | None:
    """Returns the result of a race; None, with a message, if the generator is not installed."""
    other = OTHERS[name]
    if other.program is None:
        print(f"{other.command} is not installed: no race against it\n")
        return None
    releases = glossary.releases(terms, count=RELEASES)
    folder = scratch()
    content, place, site = folder / "content", folder / name, folder / "ours" / "site"
    format.write(content, releases)
    other.lay_out(place, dict(_pages(releases)))
    runs = [(_clean(content, site), other.build(place)) for _ in range(rounds)]
    ours, theirs = zip(*runs, strict=True)
    pages, other_pages = _count(site / "term"), _count(place / "site" / "term")
    return Race(
        other=name, terms=terms, pages=pages, other_pages=other_pages, ours=ours, theirs=theirs
    )


def _clean(content: Path, site: Path) -> Cost:
    """Runs a build without earlier output or cache."""
    _put_aside(site.parent)
    (content / "archive.jsonl").unlink(missing_ok=True)
    return build(content, site)


def _put_aside(folder: Path) -> None:
    """Moves the last build aside, since deleting it takes time."""
    if folder.exists():
        folder.rename(scratch() / folder.name)


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.html"))


def _pages(releases: tuple[Release, ...]) -> Iterator[tuple[str, str]]:
    """Returns the pages of all terms and wordings."""
    wordings: dict[str, dict[str, str]] = {}
    for release in releases:
        for term in release.glossary:
            text = glossary.plain(" ".join(term.sentences))
            told = wordings.setdefault(term.name, {})
            if text not in told.values():
                told[release.name] = text
    for name, told in wordings.items():
        slug = name.replace(" ", "-")
        *_, current = told.values()
        history = "".join(f"\n## {release}\n\n{text}\n" for release, text in reversed(told.items()))
        yield slug, f"# {name}\n\n{current}\n{history}"
        for first, text in told.items():
            yield f"{slug}/{first}", f"# {name} {first}\n\n{text}\n"


def _write(folder: Path, pages: Pages, *, name: str = "{}.md") -> None:
    for path, text in pages.items():
        place = folder / name.format(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def _lay_out_hugo(folder: Path, pages: Pages) -> None:
    title = "---\ntitle: {}\n---\n"
    _write(
        folder / "content" / "term",
        {path: title.format(path) + text for path, text in pages.items()},
    )
    _write(folder, _HUGO, name="{}")


def _lay_out_sphinx(folder: Path, pages: Pages) -> None:
    listed = "Glossary\n========\n\n.. toctree::\n   :glob:\n\n   term/**\n"
    _write(folder, {"conf.py": _SPHINX, "index.rst": listed}, name="{}")
    _write(
        folder / "term", {path: _restructured(text) for path, text in pages.items()}, name="{}.rst"
    )


def _restructured(markdown: str) -> str:
    return "\n".join(map(_restructured_line, markdown.replace("`", "``").splitlines())) + "\n"


def _restructured_line(line: str) -> str:
    marks, _, title = line.partition(" ")
    underline = {"#": "=", "##": "-"}.get(marks)
    return f"{title}\n{underline * len(title)}" if underline else line


def _lay_out_mkdocs(folder: Path, pages: Pages) -> None:
    _write(
        folder,
        {"mkdocs.yml": _MKDOCS, "theme/main.html": _LAYOUT, "docs/index.md": "# Glossary\n"},
        name="{}",
    )
    _write(folder / "docs" / "term", pages)


_LAYOUT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ page.title }}</title></head>
<body><main>{{ page.content }}</main></body></html>
"""
_HUGO_LAYOUT = (
    _LAYOUT.replace("page.", ".").replace(".title", ".Title").replace(".content", ".Content")
)
_HUGO = {
    "config.toml": 'baseURL = "https://example.org/"\ntitle = "Glossary"\npublishDir = "site"\n'
    'disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404", "section"]\n',
    "layouts/_default/single.html": _HUGO_LAYOUT,
    "layouts/index.html": _HUGO_LAYOUT,
}
_SPHINX = (
    "project = 'Glossary'\nhtml_theme = 'epub'\nhtml_theme_options = {}\nhtml_use_index = False\n"
)
_MKDOCS = "site_name: Glossary\ntheme:\n  name: null\n  custom_dir: theme\nplugins: []\n"

OTHERS = {
    "hugo": Other(
        command="hugo",
        lay_out=_lay_out_hugo,
        arguments=("--quiet",),
        then=("pagefind", "--site", "site", "--quiet"),
    ),
    "sphinx": Other(
        command="sphinx-build",
        lay_out=_lay_out_sphinx,
        arguments=("-q", "-E", "-j", "auto", ".", "site"),
    ),
    "mkdocs": Other(command="mkdocs", lay_out=_lay_out_mkdocs, arguments=("build", "--quiet")),
}
