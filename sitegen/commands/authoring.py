"""The commands for whoever writes elsewhere: linking terms in a text, and finding what became of those it uses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.commands.options import BUILT, HAS_PROBLEMS
from sitegen.model import SitegenError
from sitegen.sources import safe_files
from sitegen.sources.git.clones import clones_here
from sitegen.tools.terminal import give, progress, say, say_data, say_text

MAX_TEXT_BYTES = 64 * 1024 * 1024
"""Of a file that is annotated or checked."""

if TYPE_CHECKING:
    from sitegen.site.site import Site

GLOSSARY = click.option(
    "--glossary",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the glossary is.  [default: content, or the folder you are in]",
)
RELEASE = click.option("--release", default="", metavar="NAME", help="Link the words that were in force then.")


@click.command()
@click.argument("name")
@GLOSSARY
@RELEASE
@click.option("--markdown", is_flag=True, help="A quotation for an issue, with the link in it.")
def link(name: str, glossary: Path | None, release: str, markdown: bool) -> int:
    """Print what to paste to link a term: its address, or its words with the address.

    NAME is any name that the term has or had.
    """
    from sitegen.tools.annotate import linked

    found = linked(_site(glossary), name, release=release)
    give(found.markdown if markdown else found.address)
    return BUILT


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@GLOSSARY
@RELEASE
@click.option("-i", "--in-place", is_flag=True, help="Write the file, instead of printing it.")
def annotate(file: Path, glossary: Path | None, release: str, in_place: bool) -> int:
    """Link the first mention of every term in a Markdown FILE, and print it.

    Code, links, headings and HTML are left as they are, and so are terms that the file links already.
    """
    from sitegen.tools.annotate import annotated

    text = _read(file)
    linked = annotated(_site(glossary), text, release=release)
    if not in_place:
        say_text(linked)
    elif linked != text:
        _write(file, linked)
    return BUILT


@click.command("check-text")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@GLOSSARY
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "sarif", "github"]),
    default="text",
    show_default=True,
    help="As lines, as a SARIF log, or as annotations of a workflow on GitHub.",
)
@click.option("--vale", type=click.Path(path_type=Path), metavar="DIR", help="Write the same rules as a Vale style.")
def check_text(files: tuple[Path, ...], glossary: Path | None, form: str, vale: Path | None) -> int:
    """Report uses of deprecated, renamed and removed terms in FILES, and links to words that are out of date.

    Markdown and reStructuredText are read as such, so code is left alone; other files are all words. Leaves with
    status 0 when nothing was found, 1 when something was, 2 when a file could not be read.
    """
    from sitegen.tools.annotate import findings, github, outdated, sarif, style

    if not files and vale is None:
        raise SitegenError("check-text: name files to check, or a folder for the rules with --vale")
    texts = {file.as_posix(): _read(file) for file in files}
    site = _site(glossary)
    names = outdated(site)
    for piece in style(site, names) if vale else ():
        _write(vale / piece.path, piece.content.decode())  # type: ignore[operator]
    found = findings(site, names, texts)
    if form == "sarif":
        say_data(sarif(found))
    elif form == "github":
        for line in github(found):
            give(line)
    else:
        for one in found:
            say(str(one))
    return HAS_PROBLEMS if found else BUILT


def _site(folder: Path | None) -> Site:
    from sitegen.sources.places import place
    from sitegen.tools.check.checking import site_of

    with progress(shown=True) as tell:
        tell("Reading")
        return site_of(place(folder, git="", paths=(), tags=()), clones_here(tell))


def _read(file: Path) -> str:
    try:
        if file.is_relative_to("/dev"):  # standard input, or the output of another command
            with file.open("rb") as opened:
                return opened.read(MAX_TEXT_BYTES).decode("utf-8")
        return safe_files.read(file, limit=MAX_TEXT_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be read ({error.strerror})") from None


def _write(file: Path, text: str) -> None:
    """Replaces a file whole, or not at all."""
    try:
        mode = file.stat().st_mode & 0o777 if safe_files.is_file(file) else safe_files.FILE_MODE
        safe_files.replace(file, text.encode(), mode=mode)
    except OSError as error:
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None
