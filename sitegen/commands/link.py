"""`sitegen link`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, GLOSSARY, RELEASE
from sitegen.tools.findings import read_site
from sitegen.tools.links import NO_BASE_URL, linked
from sitegen.tools.terminal import print_error, print_lines


@click.command()
@click.argument("name")
@GLOSSARY
@RELEASE
@click.option("--markdown", is_flag=True, help="Print a quotation for an issue, with the link in it.")
def link(name: str, glossary: Path | None, release: str, markdown: bool) -> int:
    """Print the address or a quotation of a term, ready to paste. NAME is any present or former name of the term.

    \b
    Examples:
      sitegen link "leaf operation"
      sitegen link "leaf operation" --release 1.8.2 --markdown
    """
    site = read_site(glossary)
    copies = linked(site, name, release=release)
    print_lines(copies.markdown if markdown else copies.link)
    if not site.base_url:
        print_error(NO_BASE_URL)
    return BUILT
