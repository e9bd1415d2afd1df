"""The glossary where people write: `sitegen link`, `check-text` and `mcp`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from sitegen.commands.options import (
    AS_JSON,
    FAILURE,
    GLOSSARY_OPTION,
    HAS_PROBLEMS,
    SUCCESS,
    open_glossary,
)
from sitegen.config import SITE_TOML
from sitegen.config.parsing import parse
from sitegen.config.patterns import one_matches
from sitegen.config.tables import CheckTextTable
from sitegen.integrations.outdated import (
    OutdatedUse,
    findings,
    may_use_former_names,
    outdated,
    own_files,
)
from sitegen.integrations.term_links import NO_BASE_URL, linked
from sitegen.model import SitegenError, first_of
from sitegen.text.names import fold
from sitegen.tools.document_files import read_document
from sitegen.tools.terminal import print_data, print_error, print_line, print_text

if TYPE_CHECKING:
    from sitegen.integrations.glossary import Glossary


@click.command()
@click.argument("name")
@GLOSSARY_OPTION
@click.option(
    "--release",
    default="",
    metavar="NAME",
    help="Link to the wording of this release instead of the current one.",
)
@click.option(
    "--markdown", is_flag=True, help="Print a quotation for an issue, with the link in it."
)
def link(name: str, glossary: str, release: str, markdown: bool) -> int:
    """Print the address or a quotation of a term, ready to paste. NAME is any present or former
    name of the term, in any language.

    \b
    Examples:
      sitegen link "leaf operation"
      sitegen link "leaf operation" --release 1.8.2 --markdown
    """
    opened_glossary = open_glossary(glossary)
    term_link = linked(opened_glossary, name, release=release)
    print_text(term_link.quotation if markdown else term_link.address)
    if not opened_glossary.base_url:
        print_error(NO_BASE_URL)
    return SUCCESS


@click.command("check-text")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@GLOSSARY_OPTION
@click.option(
    "--max",
    "limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Report at most this many uses of one name, then their number. JSON has all.",
)
@click.option("--advisory", is_flag=True, help="End with status 0 even if something was found.")
@AS_JSON
def check_text(
    files: tuple[Path, ...], glossary: str, limit: int, advisory: bool, as_data: bool
) -> int:
    """Report uses of deprecated, renamed and replaced terms in FILES.

    `-` is standard input.

    Left out: code in Markdown and reStructuredText, changelogs, what's-new pages, the files of the
    glossary, the line with a comment `sitegen: ignore` or the paragraph below it, and what
    [check-text] in site.toml says.

    Not reported: a name that is only quoted, and a former name that the glossary itself still uses,
    unless site.toml says that the term was renamed.

    \b
    Exit status:
      0  nothing was found
      1  something was found
      2  a file could not be read; the others are checked

    \b
    Examples:
      sitegen check-text docs/*.md
      sitegen check-text README.md --json
    """
    settings = _check_text_settings(glossary)
    opened_glossary = open_glossary(glossary)
    texts = _read_texts(files, settings, opened_glossary)
    uses = _outdated_uses(texts.read, settings, opened_glossary)
    if as_data:
        findings_data = [use.data() for use in uses]
        print_data({"findings": findings_data, "left_out": texts.left_out, "unread": texts.unread})
    else:
        print_line(*_lines_of_uses(uses, limit))

    # Errors have to be mended first, so no advice stands beside them.
    if texts.unread:
        print_error("\n".join(texts.unread))
        return FAILURE
    if not as_data:
        for line in _lines_about_left_out(texts.left_out, has_findings=bool(uses)):
            print_error(line)
    is_success = advisory or not uses
    return SUCCESS if is_success else HAS_PROBLEMS


class Texts(NamedTuple):
    """The documents that are named on the command line."""

    read: dict[str, str]
    """The texts to check, by path."""
    left_out: list[str]
    """The paths of the documents that are not checked."""
    unread: list[str]
    """The error message for each document that cannot be read."""


def _check_text_settings(glossary: str) -> CheckTextTable:
    """Returns the table [check-text] of the first site.toml that is there: in the folder of the
    glossary, in `content`, in the current folder. Without any, returns the defaults."""
    current_folder = "."
    for folder in (glossary or "content", "content", current_folder):
        file = Path(folder, SITE_TOML)
        if not file.is_file():
            continue
        if file.is_symlink():
            raise SitegenError(
                f"{file}: is a symbolic link, which could lead anywhere; put the file there"
            )
        return parse(read_document(file), path=str(file)).check_text
    return CheckTextTable()


def _read_texts(files: Iterable[Path], settings: CheckTextTable, glossary: Glossary) -> Texts:
    """Returns the texts of the files to check, and which files are left out or unreadable."""
    texts = Texts(read={}, left_out=[], unread=[])
    files_of_glossary = own_files(glossary)
    for file in files:
        place = os.path.relpath(file).replace(os.sep, "/")
        is_excluded = one_matches(settings.exclude, place)
        if is_excluded or may_use_former_names(place, files_of_glossary):
            texts.left_out.append(place)
            continue
        try:
            texts.read[file.as_posix()] = read_document(file)
        except SitegenError as error:
            texts.unread.append(str(error))
    return texts


def _outdated_uses(
    texts: dict[str, str], settings: CheckTextTable, glossary: Glossary
) -> list[OutdatedUse]:
    """Returns the uses of outdated names in texts, without the names that site.toml ignores.
    `texts` maps paths to texts."""
    ignored_names = set(map(fold, settings.ignore))
    names = []
    for name in outdated(glossary):
        if fold(name.name) not in ignored_names:
            names.append(name)
    return [*findings(glossary, names, texts)]


def _lines_of_uses(uses: Sequence[OutdatedUse], limit: int) -> Iterator[str]:
    """Yields a line for each use, at most `limit` lines for one name; at the end, a line for each
    name that has more uses."""
    counts: Counter[str] = Counter()
    for use in uses:
        name = use.name.name
        counts[name] += 1
        if counts[name] <= limit:
            yield str(use)
    for name, count in counts.items():
        if count > limit:
            yield f"and {count - limit:,} more uses of “{name}”"


def _lines_about_left_out(left_out: Sequence[str], *, has_findings: bool) -> Iterator[str]:
    """Yields which documents were left out. If something was found, also yields how to leave out
    more."""
    if left_out:
        yield f"left out: {first_of(left_out)}"
    if has_findings:
        yield (
            "to leave out more: `exclude` and `ignore` in [check-text] of site.toml, or a comment "
            "`sitegen: ignore`"
        )


NEEDS_EXTRA = 'mcp: needs a library: pip install "mcp>=2", in the environment of sitegen'


@click.command()
@click.argument("place", default="", metavar="[FOLDER-or-ADDRESS]")
def mcp(place: str) -> int:
    """Serve the glossary to an assistant, by the Model Context Protocol on standard input and
    output.

    FOLDER-or-ADDRESS is the folder with the glossary's site.toml, a built site, its glossary.json,
    or the address of one of these. The server only reads: it defines terms,
    tells their history, and checks texts.

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
    return SUCCESS
