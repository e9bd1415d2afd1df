"""The documentation tools whose output `sitegen init` can add a glossary to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsTool:
    """A documentation tool. `@DIR@` stands for the folder of the tool's settings in a repository."""

    title: str
    settings: tuple[str, ...]
    """The possible paths of the settings file, the usual one first."""
    commands: tuple[str, ...]
    """The commands that install the tool and build the documentation in a workflow."""
    output: str
    """The output folder of the commands."""
    locked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The commands instead, for each file that a package manager keeps exact versions in. `@LOCK@` is its folder."""
    taken_by: tuple[str, ...] = ()
    """Sources, from the folder of the settings, of a page that is published in a folder `glossary`."""
    needs: str = ""
    """The line for `build.tools` of Read the Docs, if the commands need another language than Python."""


DOCS_TOOLS = {
    "sphinx": DocsTool(
        title="Sphinx",
        settings=tuple(f"{folder}/conf.py" for folder in ("docs", "doc", "docs/source", "doc/source", "source")),
        commands=("python -m pip install sphinx", "python -m sphinx @DIR@ @DIR@/_build/html"),
        output="@DIR@/_build/html",
        taken_by=("glossary",),
    ),
    "mkdocs": DocsTool(
        title="MkDocs",
        settings=("mkdocs.yml",),
        commands=("python -m pip install mkdocs", "mkdocs build"),
        output="site",
        taken_by=("docs/glossary.md", "docs/glossary"),
    ),
    "docusaurus": DocsTool(
        title="Docusaurus",
        settings=tuple(
            f"{folder}docusaurus.config.{end}" for folder in ("", "website/", "docs/") for end in ("js", "ts")
        ),
        commands=("npm --prefix @DIR@ install", "npm --prefix @DIR@ run build"),
        locked={
            "package-lock.json": ("npm --prefix @LOCK@ ci", "npm --prefix @DIR@ run build"),
            # Corepack reads the version of yarn and pnpm from the package.json of the current folder or above.
            "yarn.lock": (
                "corepack enable",
                "(cd @LOCK@ && yarn install --frozen-lockfile)",
                "(cd @DIR@ && yarn build)",
            ),
            "pnpm-lock.yaml": (
                "corepack enable",
                "(cd @LOCK@ && pnpm install --frozen-lockfile)",
                "(cd @DIR@ && pnpm run build)",
            ),
        },
        output="@DIR@/build",
        taken_by=("src/pages/glossary.md", "src/pages/glossary.mdx", "src/pages/glossary", "static/glossary"),
        needs='nodejs: "22"',
    ),
    "mdbook": DocsTool(
        title="mdBook",
        settings=("book.toml", "docs/book.toml", "book/book.toml"),
        commands=("cargo install --locked mdbook", "mdbook build @DIR@"),
        output="@DIR@/book",
        taken_by=("src/glossary",),
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
    subfolder: str
    """The folder of the output to which the glossary is written."""
    needs: str
