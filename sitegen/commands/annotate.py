"""`sitegen annotate`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, GLOSSARY, RELEASE
from sitegen.tools.documents import read_document, write_document
from sitegen.tools.findings import read_site
from sitegen.tools.links import annotated
from sitegen.tools.terminal import print_text


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@GLOSSARY
@RELEASE
@click.option("-i", "--in-place", is_flag=True, help="Write the file instead of printing it.")
def annotate(file: Path, glossary: Path | None, release: str, in_place: bool) -> int:
    """Link the first mention of every term in a Markdown or reStructuredText FILE, and print the result.

    Code, links, headings and HTML are left as they are, and so are terms that the file links already.

    \b
    Examples:
      sitegen annotate design.md --in-place
    """
    text = read_document(file)
    linked = annotated(read_site(glossary), text, release=release, path=file.name)
    if not in_place:
        print_text(linked)
    elif linked != text:
        write_document(file, linked)
    return BUILT
