"""`sitegen serve`."""

from __future__ import annotations

import signal
import sys
import webbrowser
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.commands.options import BUILT, OUTPUT, TERMINATED, FindProject, output_of, project_options
from sitegen.tools.terminal import print_error, print_line, print_problems

if TYPE_CHECKING:
    from sitegen.pipeline.site_build import Built
    from sitegen.sources.projects import Project


@click.command()
@project_options
@OUTPUT
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free port.")
@click.option("--open", "opens", is_flag=True, help="Open the site in your browser.")
def serve(find_project: FindProject, output: Path | None, port: int, opens: bool) -> int:
    """Build the site, show it on this machine, and rebuild it on every change. Ctrl+C ends it.

    Files of a git repository are shown as they are saved, committed or not: the working copy is the newest state, and
    marked as unreleased. The site is shown to this machine only. The ledger is not written.

    \b
    Examples:
      sitegen serve --open
      sitegen serve glossary --port 0
      sitegen serve --git https://example.org/project.git
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    project = find_project()
    _serve(project, output_of(project, output), port=port, opens=opens)
    return BUILT


def _serve(project: Project, output: Path, *, port: int, opens: bool) -> None:
    """Serves a site, and builds it into a folder after each change, without end."""
    from sitegen.commands.build import summary
    from sitegen.preview.server import Preview, serving
    from sitegen.preview.session import PreviewSession
    from sitegen.preview.watching import changes
    from sitegen.site import templates
    from sitegen.sources.projects import watched

    def report(built: Built, seconds: float) -> None:
        print_problems(built.problems)
        print_error(built.breaches)
        print_line(summary(built, output, seconds))

    preview = Preview(output, templates.read_templates())
    with (
        serving(preview, port=port) as address,
        closing(PreviewSession(project, preview, report=report)) as previewing,
    ):
        for number, is_over in enumerate(changes([*watched(project), templates.folder()], ignore=output)):
            previewing.rebuild(fetching=number == 0, is_over=is_over)
            if number == 0:
                previewing.wait()
                home = f"{address}{preview.state.base}"
                print_line(f"Serving {project.folder} at {home} until Ctrl+C")
                if opens:
                    webbrowser.open(home)
