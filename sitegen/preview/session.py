"""Keeps a preview up with its sources: what one save after another leaves to do.

What was read and understood stays at hand, so a save costs what is new in it. As soon as the site is assembled the
preview answers from it (`fresh`), and open pages are told; a copy of this process then builds it into its folder
(`aside`). A save meanwhile drops that build, which leaves nothing that has to be mended, and begins anew.
"""

from __future__ import annotations

import gc
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegen.build.ledger_file import keeping_in
from sitegen.build.site_build import Built, Material, assembled, built_of, read_material, written
from sitegen.model import SitegenError
from sitegen.preview.background import Aside, Say
from sitegen.preview.live_pages import Fresh
from sitegen.preview.server import Preview
from sitegen.preview.watching import IsOver
from sitegen.site.site import Site
from sitegen.sources.editions import forget_others
from sitegen.sources.git.clones import clones_here
from sitegen.sources.places import Place
from sitegen.sources.unchanged import Unchanged
from sitegen.tools.terminal import complain, progress

COURTESY = 0.1
"""Seconds for open pages to ask again, before we tidy up and a copy of the process makes all slower for a while."""

Report = Callable[[Built, float, str], None]
"""Reports a build, its seconds, and the terms that changed since the last one, in a few words."""


class Previewing:
    """What is at hand between two saves, and the build that is under way."""

    def __init__(self, place: Place, preview: Preview, *, report: Report, jobs: int) -> None:
        self._place = place
        self._preview = preview
        self._report = report
        self._jobs = jobs
        self._unchanged = Unchanged()
        self._wordings: dict[str, str] | None = None
        self._changed = ""
        self._fresh: Fresh | None = None
        self._aside: Aside | None = None
        self._listener: threading.Thread | None = None

    def renew(self, *, fetching: bool, is_over: IsOver = lambda: False) -> None:
        """Shows the site as its sources are now, and begins to build it.

        Addresses are those of the ledger; what a real build would fail for is said, and shown all the same. Sources
        that cannot be read because they change meanwhile are no mistake: if it `is_over`, we are asked again.
        """
        begun = time.perf_counter()
        gc.disable()  # nearly all that is made now stays: to look through it keeps a reader waiting
        try:
            material, site = self._read(fetching=fetching)
            self._changed = self._compare(site)
            self._fresh = Fresh(site, material.templates)
            self._preview.show(base=urlsplit(site.base_url).path or "/", fresh=self._fresh.content)
            self._build(material, site, begun)
        except Exception as error:
            if not is_over():
                self._fail(_told(error))

    def _compare(self, site: Site) -> str:
        """Returns the terms that are new, gone or reworded since the last site; empty for the first one."""
        before, self._wordings = self._wordings, {life.name: life.entry.definition.text for life in site.lives}
        if before is None:
            return ""
        now = self._wordings
        kinds = (
            ("added", [name for name in now if name not in before]),
            ("gone", [name for name in before if name not in now]),
            ("reworded", [name for name in now if name in before and now[name] != before[name]]),
        )
        return "; ".join(f"{_names(names)} {kind}" for kind, names in kinds if names) or "no term changed"

    def close(self) -> None:
        """Drops the build that is under way, if one is."""
        with self._dropping():
            gc.enable()

    def wait(self) -> None:
        """Returns when the build that is under way is done."""
        if self._listener:
            self._listener.join()

    @contextmanager
    def _dropping(self) -> Iterator[None]:
        """The build that is under way is dropped; at the end it is gone."""
        if self._aside:
            self._aside.drop()
        try:
            yield
        finally:
            self.wait()

    def _read(self, *, fetching: bool) -> tuple[Material, Site]:
        with self._dropping(), progress(shown=True) as tell:
            tell("Reading")
            material = read_material(
                self._place.folder,
                self._preview.site,
                clones=clones_here(tell, update=fetching),
                config=self._place.config,
                keeping=keeping_in(self._place.folder, preview=True),
                unchanged=self._unchanged,
                working_copy=True,
            )
            tell("Comparing")
            return material, assembled(material)

    def _build(self, material: Material, site: Site, begun: float) -> None:
        work = partial(_build, material, site, self._preview.site, jobs=self._jobs)
        self._aside = Aside(work, calm=self._preview.calm)
        self._listener = threading.Thread(target=self._listen, args=(self._aside, material, begun), daemon=True)
        self._listener.start()

    def _listen(self, aside: Aside, material: Material, begun: float) -> None:
        """Follows a build to its end, and shows what came of it."""
        said: dict[str, Any] = {}
        time.sleep(COURTESY)
        if aside.is_dropped:
            return
        forget_others(document for holding in material.holdings for document in holding.documents)
        with progress(shown=True) as tell:

            def hear(news: dict[str, Any]) -> None:
                if "doing" in news:
                    tell(news["doing"])
                said.update(news)

            try:
                aside.do(hear)
            except Exception as error:  # such as the system's, which has no process left for it
                said["error"] = _told(error)
        if "built" in said:
            self._report(built_of(said["built"]), time.perf_counter() - begun, self._changed)
            self._preview.settle()
            _tidy()
        elif not aside.is_dropped:
            self._fail(said.get("error", "the build was ended by the system"))

    def _fail(self, error: str) -> None:
        complain(error)
        self._preview.show(base=self._preview.state.base, error=error)
        _tidy()


def _names(names: list[str]) -> str:
    """Returns the first three names, and the number of the others."""
    shown = ", ".join(f"“{name}”" for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3:,} more"


def _tidy() -> None:
    """Looks for garbage now that nobody waits, and from now on no more through what is left."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _build(material: Material, site: Site, output: Path, say: Say, *, jobs: int) -> None:
    """Builds a site, and says so."""
    try:
        built = written(material, lambda _: site, output, tell=lambda doing: say({"doing": doing}), jobs=jobs)
    except Exception as error:
        say({"error": _told(error)})
    else:
        say({"built": asdict(built)})


def _told(error: Exception) -> str:
    """What went wrong: in a line, or, where a template that is being written has a mistake, with where it is."""
    return str(error) if isinstance(error, SitegenError) else "".join(traceback.format_exception(error))
