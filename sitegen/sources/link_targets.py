"""Finds the paths in a repository that the target of a link or of an include directive may mean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import PurePosixPath

IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg)$", re.I)
ENDINGS = (
    "",
    ".md",
    ".rst",
    ".mdx",
    ".adoc",
    ".markdown",
    ".txt",
    ".html",
    "/index.md",
    "/index.rst",
    "/README.md",
)
PAGE = re.compile(r"\.html?$|/$")
SITE = "@site/"
"""The root of the documentation, in Docusaurus."""
STATIC = ("", "static", "public")
"""Folders whose files generators publish at the root of a site."""
MODULES = "modules"
"""The folder of a component of Antora that has its modules."""
ASSETS = ("", "assets")
"""The folder of a module with its images and attachments; earlier versions had `assets`."""
RESOURCE = re.compile(
    r"(?:(?:[^:$]*:)?(?P<module>[\w-]+):)?(?P<family>attachment|example|image|page|partial)\$"
    r"(?P<path>.+)"
)
"""A resource of Antora: `partial$note.adoc`, `shop:image$saw.png`, `2.0@tools:shop:page$x.adoc`."""


def possible_paths(name: str, target: str) -> Iterator[str]:
    """Yields the possible paths of a link in the document `name`, the first choice first;
    generators omit suffixes in links."""
    for path in resolved_paths(name, target):
        page = PAGE.sub("", path)
        if page and page != path:
            yield path
        if page:
            for ending in ENDINGS:
                yield page + ending


def resolved_paths(name: str, target: str) -> Iterator[str]:
    """Yields the paths that a target in the document `name` may mean; none for a URL, or outside of
    the repository.

    A target that begins with `/` is relative to the root of the documentation, a folder above the
    document, or to a folder of static files in it.
    """
    if "://" in target or "\\" in target:
        return
    places = _generator_places if target.startswith(("/", SITE)) else _places_beside
    for place in chain(places(name, target), _antora_places(name, target)):
        resolved = os.path.normpath(place)
        if resolved not in (".", "..") and not resolved.startswith("../"):
            yield resolved


def _places_beside(name: str, target: str) -> Iterator[PurePosixPath]:
    yield PurePosixPath(name).parent / target


def _generator_places(name: str, target: str) -> Iterator[PurePosixPath]:
    """Yields the places below the folders above a document that a target from the root may mean."""
    below = target.removeprefix(SITE).lstrip("/")
    for static in STATIC:
        for root in reversed(PurePosixPath(name).parents):
            yield root / static / below


def _antora_places(name: str, target: str) -> Iterator[PurePosixPath]:
    """Yields the places in a component of Antora that a target may mean: `partial$note.adoc` is in
    the folder `partials` of a module, and an image in `images`."""
    folders = PurePosixPath(name).parts
    if MODULES not in folders:
        return
    modules = PurePosixPath(*folders[: folders.index(MODULES) + 1])
    module = modules / folders[len(modules.parts)]
    if resource := RESOURCE.fullmatch(target):
        if resource["module"]:
            module = modules / resource["module"]
        for assets in ASSETS:
            yield module / assets / f"{resource['family']}s" / resource["path"]
    elif IMAGE.search(target) and ":" not in target:
        for assets in ASSETS:
            yield module / assets / "images" / target
