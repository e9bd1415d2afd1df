"""From a repository's tags to the history of its terms: exactly what was done, whatever else changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from repositories import Repository

from sitegen import formats, history
from sitegen.gathering import Gathered
from sitegen.git import Clones, GitSource, read_git
from sitegen.merge import merge
from sitegen.model import Edition, Source
from sitegen.references import Resolver

Wording = Mapping[str, str]

SIGNED = "Release\n\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE\n-----END PGP SIGNATURE-----"


def markdown(wording: Wording) -> str:
    return "# Glossary\n\n" + "".join(f"**{name}**\n: {text}\n\n" for name, text in wording.items())


def myst(wording: Wording) -> str:
    body = "\n".join(f"{name}\n  {text}\n" for name, text in wording.items())
    return f"# Glossary\n\n```{{glossary}}\n{body}```\n"


def sphinx(wording: Wording) -> str:
    body = "\n".join(f"   {name}\n      {text}\n" for name, text in wording.items())
    return f"Glossary\n========\n\n.. glossary::\n\n{body}"


PLACES = (("GLOSSARY.md", markdown), ("docs/glossary.md", myst), ("docs/source/glossary.rst", sphinx))


def script(repository: Repository) -> None:
    """Sixty releases: the file moves and changes its format at 2.0 and 4.0, and is away at 5.0."""
    wording = {
        "Blob": "A file's *content*.",
        "Commit": "A point in *time*.",
        "Index": "A *list*.",
        "Tree": "A folder.",
    }
    for number in range(60):
        if number == 5:
            wording["Blob"] = "What a file *holds*."
        if number == 25:
            del wording["Index"]
        if number == 45:
            wording["Worktree"] = "Files to work with."
        path, written = PLACES[number // 20]
        files: dict[str, str | None] = {name: None for name, _ in PLACES if (repository.path / name).exists()}
        repository.commit(
            files | ({} if number == 50 else {path: written(wording)}),
            day=date(2015, 1, 1) + timedelta(days=30 * number),
        )
        annotated = ["--annotate", "--cleanup=verbatim", f"--message={SIGNED if number % 3 else 'Release'}"]
        repository.git("tag", *(annotated if number % 2 else []), f"v{number // 10}.{number % 10}")
        if number % 10 == 9:
            repository.git("tag", f"v{number // 10 + 1}.0rc1")
    for odd in ("nightly", "--output=x", "<b>bold</b>"):
        repository.git("update-ref", f"refs/tags/{odd}", "HEAD~30")


def changes(gathered: Gathered) -> list[tuple[str, str, str, str]]:
    """(term, kind, release, file) of everything that happened."""
    editions = []
    for release in gathered.releases:
        documents = [document for document in gathered.documents if document.release == release.name]
        entries = tuple(entry for document in documents for entry in formats.read(document).entries)
        unread = tuple(name for where, name in gathered.unread if where == release.name)
        names = tuple(document.name for document in documents)
        editions.append(Edition(release=release.name, entries=entries, documents=names, unread=unread))
    source = Source(id="s", title="S", releases=gathered.releases)
    terms = merge([(source, tuple(editions))]).terms
    lives = history.lives(terms, editions={"s": tuple(editions)}, resolver=Resolver(terms))
    return [
        (life.name, change.kind, change.release, change.citation.path) for life in lives for change in life.changes
    ]


def test_the_history_is_what_was_scripted(tmp_path: Path) -> None:
    """Over sixty tags of every kind, two moves with a new format each and a gap, only real changes show."""
    repository = Repository(tmp_path / "project")
    script(repository)
    paths = tuple(path for path, _ in reversed(PLACES))
    source = GitSource(id="s", repository="project", paths=paths)
    gathered = read_git(source, root=tmp_path, clones=Clones(folder=tmp_path / "cache"))
    assert len(gathered.releases) == 60
    assert gathered.unread == (("5.0", ""),)
    assert changes(gathered) == [
        ("Blob", "first-read", "0.0", "v0.0:GLOSSARY.md"),
        ("Blob", "reworded", "0.5", "v0.5:GLOSSARY.md"),
        ("Commit", "first-read", "0.0", "v0.0:GLOSSARY.md"),
        ("Index", "first-read", "0.0", "v0.0:GLOSSARY.md"),
        ("Index", "removed", "2.5", "v2.4:docs/glossary.md"),
        ("Tree", "first-read", "0.0", "v0.0:GLOSSARY.md"),
        ("Worktree", "added", "4.5", "v4.5:docs/source/glossary.rst"),
    ]
