"""`sitegen link`."""

from __future__ import annotations

import click

from sitegen.commands.options import BUILT, GLOSSARY, RELEASE, open_glossary
from sitegen.integrations.annotation import NO_BASE_URL, linked
from sitegen.tools.terminal import print_error, print_lines


@click.command()
@click.argument("name")
@GLOSSARY
@RELEASE
@click.option("--markdown", is_flag=True, help="Print a quotation for an issue, with the link in it.")
def link(name: str, glossary: str, release: str, markdown: bool) -> int:
    """Print the address or a quotation of a term, ready to paste. NAME is any present or former name of the term.

    \b
    Examples:
      sitegen link "leaf operation"
      sitegen link "leaf operation" --release 1.8.2 --markdown
    """
    opened = open_glossary(glossary)
    found = linked(opened, name, release=release)
    print_lines(found.quotation if markdown else found.address)
    if not opened.base_url:
        print_error(NO_BASE_URL)
    return BUILT
