"""`sitegen mcp`."""

from __future__ import annotations

import click

from sitegen.commands.options import BUILT, open_glossary
from sitegen.model import SitegenError

NEEDS_EXTRA = 'mcp: needs the extra of that name: pip install "sitegen-glossary[mcp]"'


@click.command()
@click.argument("place", default="", metavar="[FOLDER-or-ADDRESS]")
def mcp(place: str) -> int:
    """Serve the glossary to an assistant, by the Model Context Protocol on standard input and output.

    FOLDER-or-ADDRESS is the folder with the glossary's site.toml, a built site, its glossary.json, or the address of
    one of these. The server only reads: it defines terms, tells their history and what has changed, and checks texts.

    \b
    Examples:
      sitegen mcp
      sitegen mcp https://example.org/vocabulary/
    """
    try:
        from sitegen.integrations.assistant_server import server
    except ModuleNotFoundError:
        raise SitegenError(NEEDS_EXTRA) from None
    server(open_glossary(place)).run()
    return BUILT
