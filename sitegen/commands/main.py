"""The `sitegen` command. It imports the module of the given command, runs it, and exits with its
status.

The modules of other commands are not imported, because that would take almost a second.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click

from sitegen import __version__
from sitegen.commands.options import FAILURE, INTERRUPTED
from sitegen.model import ProblemsError, SitegenError
from sitegen.tools.terminal import collapsed, print_error, system_error

COMMANDS = {
    "init": (
        "init",
        "Find the glossaries of a repository, and write site.toml and a workflow for them.",
    ),
    "build": ("building", "Build the site once."),
    "serve": (
        "building",
        "Show the site on this machine, and show it anew after every change.",
    ),
    "publish": ("publishing", "Build the site and publish it as one commit on a branch."),
    "correct": ("publishing", "Take over what the sources of published releases say now."),
    "addresses": ("publishing", "Show which new addresses publishing would promise."),
    "check": ("checking", "Report mistakes, and terms that may be one under two names."),
    "diff": ("checking", "Describe in Markdown what a change does to the glossary."),
    "translations": ("checking", "Report which translations are behind their originals."),
    "link": ("writers", "Print the address or a quotation of a term, ready to paste."),
    "check-text": (
        "writers",
        "Report uses of deprecated, renamed and replaced terms in documents.",
    ),
    "mcp": ("writers", "Serve the glossary to an assistant, by the Model Context Protocol."),
}
"""The module and the summary of each command. `check-text` is the function `check_text`."""


class CommandGroup(click.Group):
    """A group that imports a command's module when the command is named."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command:
        """Imports the module of a command, and returns the command. Raises `UsageError` for an
        unknown one, and names the most similar command."""
        if name not in COMMANDS:
            from sitegen.text.names import did_you_mean

            wanted = did_you_mean(name, COMMANDS, otherwise="`sitegen --help` lists the commands")
            raise click.UsageError(f"no such command '{name}'; {wanted}")
        module_name, _ = COMMANDS[name]
        module = import_module(f"sitegen.commands.{module_name}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.command(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def sitegen() -> None:
    """Build a static glossary site, with every term's history, from the releases of a project.

    \b
    Start in the repository that has the glossary:
      sitegen init            find it, and write site.toml
      sitegen serve --open    look at the site while you edit
      sitegen build           write the site to ./site

    Commands read the FOLDER that has a site.toml or a folder for each release. The default is
    `content`, if content/site.toml exists, else the current folder. `sitegen COMMAND --help`
    describes a command.
    """


def main() -> NoReturn:
    """Runs the command and ends the process with its status.

    Skips the interpreter's shutdown, since freeing all objects would take a good part of the time
    of a build.
    """
    # Without UTF-8, as in the locale C with PYTHONUTF8=0, no file could have the name of a term in
    # another script. So the program starts itself again with it.
    if sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 (this program)
    status = run()
    for stream in (sys.stdout, sys.stderr):
        if stream is None:  # a process may be started without it
            continue
        with suppress(OSError):
            stream.flush()
    os._exit(status)


def run() -> int:
    """Runs the command and returns its exit status; see `sitegen.commands.options`."""
    # Almost all objects of a build live until its end. The default thresholds would take a quarter
    # of its time.
    gc.set_threshold(500_000, 20, 1_000)
    # A character that the terminal cannot show is printed as `\u2026`.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return sitegen(prog_name="sitegen", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ProblemsError as error:
        print_error("\n".join(collapsed(error.problems)))
        return FAILURE
    except SitegenError as error:
        print_error(str(error))
        return FAILURE
    except (OSError, ImportError, MemoryError) as error:
        with suppress(OSError):
            print_error(system_error(error))
        return FAILURE
    except click.Abort:
        return INTERRUPTED
