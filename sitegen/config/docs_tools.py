"""The tools that make documentation, beside which `sitegen init` can put a glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsTool:
    """A tool that makes documentation. `@DIR@` is the folder in which the repository has its settings."""

    title: str
    settings: tuple[str, ...]
    """Paths of its settings, the usual one first."""
    commands: tuple[str, ...]
    """The commands that install the tool and build the documentation in a workflow."""
    output: str
    """The folder that they write."""
    needs: str = ""
    """What Read the Docs calls the other languages that the commands need."""


DOCS_TOOLS = {
    "sphinx": DocsTool(
        title="Sphinx",
        settings=tuple(f"{folder}/conf.py" for folder in ("docs", "doc", "docs/source", "doc/source", "source")),
        commands=("python -m pip install sphinx", "python -m sphinx @DIR@ @DIR@/_build/html"),
        output="@DIR@/_build/html",
    ),
    "mkdocs": DocsTool(
        title="MkDocs",
        settings=("mkdocs.yml",),
        commands=("python -m pip install mkdocs", "mkdocs build"),
        output="site",
    ),
    "docusaurus": DocsTool(
        title="Docusaurus",
        settings=tuple(
            f"{folder}docusaurus.config.{end}" for folder in ("", "website/", "docs/") for end in ("js", "ts")
        ),
        commands=("npm --prefix @DIR@ ci", "npm --prefix @DIR@ run build"),
        output="@DIR@/build",
        needs='nodejs: "22"',
    ),
    "mdbook": DocsTool(
        title="mdBook",
        settings=("book.toml", "docs/book.toml", "book/book.toml"),
        commands=("cargo install --locked mdbook", "mdbook build @DIR@"),
        output="@DIR@/book",
        needs="rust: latest",
    ),
    "plain": DocsTool(
        title="plain HTML",
        settings=("public/index.html", "docs/index.html"),
        commands=("test -f @DIR@/index.html",),
        output="@DIR@",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Docs:
    """The documentation of a repository. Paths are relative to the repository."""

    tool: str
    """A key of `DOCS_TOOLS`."""
    settings: str
    commands: tuple[str, ...]
    output: str
    needs: str
