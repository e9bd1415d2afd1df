"""The state of a preview between two saves.

The process keeps the results of parsing (`text.memo`) and compiled templates (`site.rendering`).
After a save, all terms, changes and addresses are computed anew, from results that are keyed by the
text of a document or of a part of it, so that only an edited document is parsed again. With 1,000
terms at 10 releases, that takes 0.4 s of CPU, the first time 0.8 s.

As soon as the site is assembled, the server answers from it (`LivePages`) and open pages reload. A
fork of this process, which has all values in memory, then builds it into its folder
(`BackgroundWork`), so that the build does not delay the preview. Another save cancels that build
and starts a new one.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.permanence.ledger_file import ledger_store_in
from sitegen.pipeline.assembly import of_term
from sitegen.pipeline.build_cache import build_cache
from sitegen.pipeline.site_build import (
    BuildInputs,
    Built,
    assembled,
    last_build,
    read_inputs,
    refusal,
    write,
)
from sitegen.pipeline.workers import CAN_FORK, fork
from sitegen.preview.server import Preview
from sitegen.preview.watching import IsOver
from sitegen.site import exports, pages
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site
from sitegen.site.templates import asset_files
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.text import memo
from sitegen.tools.terminal import print_error, progress, system_error


class LivePages:
    """The files of a site that can be rendered before the site is written: those of terms, and
    assets."""

    def __init__(self, site: Site, templates: Mapping[str, str]) -> None:
        self._site = site
        self._templates = templates
        self._renderer: Renderer = Renderer(templates, site)
        shared = pages.PageData(site), exports.Labels(site)
        self._files_of_term = partial(of_term, self._renderer, *shared)
        self._rendered: dict[str | None, Mapping[str, bytes]] = {}
        """The files of each term by its key, and the assets."""

    def content(self, path: str) -> bytes | None:
        """Returns the content of a file; None if only a build can render it."""
        return self.files(self._site.permanence.owners.get(urls.slug_in(path))).get(path)

    def files(self, key: str | None) -> Mapping[str, bytes]:
        """Returns the files of a term, or the assets, by their paths."""
        if key not in self._rendered:
            files = (
                self._files_of_term(key)
                if key
                else (*asset_files(self._templates), self._renderer.panels())
            )
            self._rendered[key] = {file.path: file.content for file in files}
        return self._rendered[key]


Report = Callable[[Any], None]
Work = Callable[[Report], None]

NICENESS = 5
"""How much the priority of the work is below that of requests to the preview."""


class BackgroundWork:
    """A function that runs in a fork of this process, and reports values.

    On systems without a safe fork, it runs in the calling thread.
    """

    def __init__(
        self, work: Work, *, fork_guard: AbstractContextManager[Any] | None = None
    ) -> None:
        """`fork_guard` is a context manager in which no other thread holds a lock: the fork could
        not release it."""
        self._work = work
        self._fork_guard = fork_guard or nullcontext()
        self._child = 0
        self._lock = threading.Lock()
        self.is_dropped = False

    def do(self, on_report: Report) -> None:
        """Runs the work, and passes its reports to `on_report` until it has ended, failed or been
        dropped.

        Must not be called in the main thread, where an interrupt during the fork would be lost.
        """
        if not CAN_FORK:
            if not self.is_dropped:
                self._work(on_report)
            return
        here, there = Pipe(duplex=False)
        with self._lock, self._fork_guard:
            self._child = 0 if self.is_dropped else _begin(self._work, there)
        there.close()
        with suppress(EOFError, OSError):  # the end, or half a report of work that was dropped
            while True:
                on_report(here.recv())
        with self._lock:
            if self._child:
                os.waitpid(self._child, 0)
                self._child = 0

    def drop(self) -> None:
        """Kills the work. Files that it was writing stay incomplete."""
        with self._lock:
            self.is_dropped = True
            if self._child:
                os.killpg(self._child, signal.SIGKILL)


def _begin(work: Work, reports: Connection) -> int:
    """Starts the work in a process group of its own, and returns the process id."""
    child = fork()
    with suppress(OSError):  # the other one has done so already
        os.setpgid(child, child)
    if child == 0:
        with suppress(BaseException):
            os.nice(NICENESS)
            work(reports.send)
        os._exit(0)
    return child


RELOAD_DELAY = 0.1
"""Seconds that open pages have to reload before other computations, and the background build,
start."""

MAX_UNFREED, MAX_SAVES = 10, 30
"""The numbers of saves after which the memory of earlier ones is freed, and everything is parsed
anew."""

ReportBuild = Callable[[Built, float], None]
"""Reports a build, and its duration in seconds."""


class PreviewSession:
    """The state between two saves, and the background build."""

    def __init__(
        self, project: Project, preview: Preview, *, report: ReportBuild, jobs: int | None = None
    ) -> None:
        self._project = project
        self._preview = preview
        self._report = report
        self._jobs = jobs
        self._background: BackgroundWork | None = None
        self._listener: threading.Thread | None = None
        self._saves = 0

    def rebuild(self, *, fetching: bool, is_over: IsOver = lambda: False) -> None:
        """Reads the sources, shows the site, and starts the background build.

        Addresses are those of the ledger; promises that a real build would refuse to break are
        reported. Ignores an error if `is_over` returns True: the sources have changed meanwhile,
        and the caller calls again.
        """
        begun = time.perf_counter()
        self.close()
        gc.disable()  # nearly all new objects are kept, so a collection would only delay the page
        try:
            inputs, site = self._show_site(fetching=fetching)
            self._start_build(inputs, site, begun)
        except Exception as error:
            if not is_over():
                self._fail(_error_text(error))

    def close(self) -> None:
        """Drops the background build, if there is one, and returns when it has ended."""
        if self._background:
            self._background.drop()
        self.wait()
        gc.enable()

    def wait(self) -> None:
        """Returns when the background build has ended."""
        if self._listener:
            self._listener.join()

    def _show_site(self, *, fetching: bool) -> tuple[BuildInputs, Site]:
        """Reads and shows the site, and returns it with its inputs."""
        with progress(shown=True) as notify:
            notify("Reading")
            inputs = read_inputs(
                self._project.folder,
                self._preview.site,
                clones=clones_here(notify, update=fetching),
                config=self._project.config,
                ledger_store=ledger_store_in(self._project.folder, preview=True),
                working_copy=True,
            )
            notify("Comparing")
            site = assembled(inputs)
        live = LivePages(site, inputs.templates)
        self._preview.show(base=urlsplit(site.base_url).path or "/", fresh=live.content)
        return inputs, site

    def _start_build(self, inputs: BuildInputs, site: Site, begun: float) -> None:
        work = partial(_build, inputs, site, jobs=self._jobs)
        self._background = BackgroundWork(work, fork_guard=self._preview.rendering_lock)
        self._listener = threading.Thread(
            target=self._listen, args=(self._background, begun), daemon=True
        )
        self._listener.start()

    def _listen(self, background_build: BackgroundWork, begun: float) -> None:
        """Waits for a background build, and reports its outcome."""
        outcome: dict[str, Any] = {}
        time.sleep(RELOAD_DELAY)
        self._saves += 1
        if self._saves % MAX_SAVES == 0:
            memo.clear()
        if self._saves % MAX_UNFREED == 0:
            gc.collect()
        if background_build.is_dropped:
            return
        with progress(shown=True) as notify:

            def on_report(report: dict[str, Any]) -> None:
                notify(report.get("doing", ""))
                outcome.update(report)

            try:
                background_build.do(on_report)
            except Exception as error:  # for instance because the system allows no more processes
                outcome["error"] = _error_text(error)
        if "built" in outcome:
            self._report(outcome["built"], time.perf_counter() - begun)
            self._preview.serve_folder()
            gc.collect()
        elif not background_build.is_dropped:
            self._fail(outcome.get("error", "the build was ended by the system"))

    def _fail(self, error: str) -> None:
        print_error(error)
        self._preview.show(base=self._preview.state.base, error=error)


def _build(inputs: BuildInputs, site: Site, report: Report, *, jobs: int | None) -> None:
    """Builds a site that is assembled already, and reports the outcome, with the promises that it
    would break."""

    def notify(doing: str) -> None:
        report({"doing": doing})

    try:
        cache = build_cache(inputs.folder, inputs.output, inputs.templates)
        built = last_build(inputs, cache) or write(site, inputs, cache, notify=notify, jobs=jobs)
        breaches = str(refusal(site, inputs) or "")
    except Exception as error:
        report({"error": _error_text(error)})
    else:
        report({"built": replace(built, breaches=breaches)})


def _error_text(error: Exception) -> str:
    """Returns the text of an error; of an unexpected one, such as in a template, with its
    traceback."""
    if isinstance(error, SitegenError):
        return str(error)
    if isinstance(error, OSError | MemoryError):
        return system_error(error)
    return "".join(traceback.format_exception(error))
