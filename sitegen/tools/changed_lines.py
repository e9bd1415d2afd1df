"""Finds the lines of documents that differ from a commit of their git repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path

from sitegen.integrations.outdated import OutdatedUse
from sitegen.model import SitegenError


def in_changed_lines(found: Iterable[OutdatedUse], texts: Mapping[str, str], *, base: str) -> Iterator[OutdatedUse]:
    """Yields the findings in lines that a commit does not have. Raises `SitegenError` if there is no such commit."""
    changed = {path: changed_lines(Path(path), text, base=base) for path, text in texts.items()}
    return (use for use in found if use.line in changed[use.path])


def changed_lines(file: Path, text: str, *, base: str) -> frozenset[int]:
    """Returns the numbers of the lines, from 1, that are new or different since a commit; all of a new file."""
    try:
        from sitegen.sources.git.process import GitError, git_folder, repository_above, run
    except ImportError:
        raise SitegenError("--changed reads git, which needs Linux or macOS; check whole files instead") from None
    place = file.resolve()
    root = repository_above(place.parent)
    if root is None:
        raise SitegenError(f"{file}: is in no git repository; leave out --changed")
    git = git_folder(root)
    try:
        commit = (
            run(git, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}").decode().strip()
        )
    except GitError:
        raise SitegenError(f"--changed: {base} is not a commit of {root}; fetch it, or name another") from None
    try:
        before = run(git, "cat-file", "blob", f"{commit}:{place.relative_to(root).as_posix()}")
    except GitError:  # the commit does not have the file
        before = b""
    old, new = before.decode(errors="replace").splitlines(), text.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    blocks = (range(start, end) for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal")
    return frozenset(number + 1 for block in blocks for number in block)
