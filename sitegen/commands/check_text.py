"""`sitegen check-text`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, CANNOT_BUILD, GLOSSARY, HAS_PROBLEMS
from sitegen.model import SitegenError
from sitegen.tools.documents import delete_document, read_document, write_document
from sitegen.tools.findings import read_site
from sitegen.tools.outdated import VALE_FILES, findings, github, outdated, sarif, vale_style
from sitegen.tools.terminal import print_data, print_error, print_line, print_lines


@click.command("check-text")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@GLOSSARY
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "sarif", "github"]),
    default="text",
    show_default=True,
    help="Lines, a SARIF log, or annotations of a GitHub workflow.",
)
@click.option("--vale", type=click.Path(path_type=Path), metavar="DIR", help="Write the same rules as a Vale style.")
@click.option(
    "--removed",
    is_flag=True,
    help="Also report terms that were removed without a replacement. Their names are often ordinary words.",
)
@click.option("--advisory", is_flag=True, help="End with status 0 even if something was found.")
def check_text(
    files: tuple[Path, ...], glossary: Path | None, form: str, vale: Path | None, removed: bool, advisory: bool
) -> int:
    """Report uses of deprecated, renamed and replaced terms in FILES, and links to outdated wordings.

    In Markdown and reStructuredText, code is left out; other files are read as plain words. A former name that the
    glossary itself still uses is not reported, unless site.toml says that the term was renamed.

    \b
    Exit status:
      0  nothing was found
      1  something was found
      2  a file could not be read; the others are checked

    \b
    Examples:
      sitegen check-text docs/*.md
      sitegen check-text README.md --format sarif > outdated.sarif
      sitegen check-text --vale styles
    """
    if not files and vale is None:
        raise SitegenError("check-text: name files to check, or a folder for the rules with --vale")
    texts: dict[str, str] = {}
    unread: list[str] = []
    for file in files:
        try:
            texts[file.as_posix()] = read_document(file)
        except SitegenError as error:
            unread.append(str(error))
    site = read_site(glossary)
    names = outdated(site, unreplaced=removed)
    if vale:
        rules = {rule.path: rule.content.decode() for rule in vale_style(site, names)}
        for path in VALE_FILES:
            if path in rules:
                write_document(vale / path, rules[path])
            else:  # an earlier run may have written it
                delete_document(vale / path)
        if not names:
            print_error(f"{vale}: no rule was written, since no name in the glossary is outdated")
    found = tuple(findings(site, names, texts))
    if form == "sarif":
        print_data(sarif(found))
    elif form == "github":
        for line in github(found):
            print_lines(line)
    else:
        for finding in found:
            print_line(str(finding))
    for message in unread:
        print_error(message)
    if unread:
        return CANNOT_BUILD
    return HAS_PROBLEMS if found and not advisory else BUILT
