"""`sitegen annotate`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, GLOSSARY, RELEASE, open_glossary
from sitegen.integrations.annotation import annotated
from sitegen.model import SitegenError
from sitegen.tools.document_files import read_document, write_document
from sitegen.tools.terminal import print_text


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@GLOSSARY
@RELEASE
@click.option("-i", "--in-place", is_flag=True, help="Write the files instead of printing the result.")
def annotate(files: tuple[Path, ...], glossary: str, release: str, in_place: bool) -> int:
    """Link the first mention of every term in Markdown or reStructuredText FILES, and print the result.

    Code, links, headings and HTML are left as they are, and so are terms that a file links already. `-` is standard
    input. Several files need --in-place.

    \b
    Examples:
      sitegen annotate design.md --in-place
    """
    if len(files) > 1 and not in_place:
        raise SitegenError("annotate: several files are only written; add --in-place")
    texts = {file: read_document(file) for file in files}
    opened = open_glossary(glossary)
    for file, text in texts.items():
        linked = annotated(opened, text, release=release, path=str(file))
        if not in_place:
            print_text(linked)
        elif linked != text:
            write_document(file, linked)
    return BUILT
