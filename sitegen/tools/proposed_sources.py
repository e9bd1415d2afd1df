"""The sources that `sitegen init` proposes, with their ids, their titles and their tables in
site.toml. `release_choice` chooses their releases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from sitegen.config.patterns import literal
from sitegen.config.toml import table_text
from sitegen.config.values import as_id
from sitegen.model import Release, counted, first_of
from sitegen.sources.discovery.searched_repository import FoundGlossary, FoundTranslation


@dataclass(frozen=True, kw_only=True)
class ProposedSource:
    """A glossary as a source."""

    glossary: FoundGlossary
    id: str
    title: str
    head: str = ""
    """The branch that is read as unreleased."""
    tags: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    by: str = ""
    versions: str = ""
    paths: tuple[str, ...] = ()
    """Empty if `versions` has them all."""
    note: str = ""
    """The reason for the choice of releases, if they are not simply the tags."""
    releases: tuple[Release, ...] = ()
    """The releases that reading the source gives."""
    translations: tuple[FoundTranslation, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yields the lines that `sitegen init` prints about the source. Its note is printed by the
        caller: several sources may share one."""
        newest_path, *earlier_paths = self.glossary.paths
        place = newest_path
        if self.glossary.section:
            place += f", section “{self.glossary.section}”"
        if earlier_paths:
            place += f" (before that {first_of(earlier_paths)})"
        yield f"{place}: {counted(self.glossary.entries, 'term')}, {self._span()}"
        if not self.glossary.is_current:
            yield f"  it was last there in {self.glossary.last_release}"
        for translation in self.translations:
            files = ", ".join(translation.patterns) or "the same files"
            terms = counted(translation.entries, "term")
            yield f"  {translation.language}: {terms} in {files}"

    def _span(self) -> str:
        """Returns the number of releases with the first and the last one: `3 releases, 1.0 to 2.0`.
        Says so if there is none."""
        names = [release.name for release in self.releases if not release.unreleased]
        if not names:
            return "not in a release yet"
        # `by` is set if a glossary without tags is read by days, months or years.
        noun = "dated state" if self.by else "release"
        number = counted(len(names), noun)
        if len(names) == 1:
            return f"{number}, {names[0]}"
        return f"{number}, {names[0]} to {names[-1]}"


def named_sources(
    glossaries: Sequence[FoundGlossary], name: str, title: str
) -> tuple[ProposedSource, ...]:
    """Returns a source for each glossary, with an id and a title.

    A single glossary gets those of the project. Of several glossaries, each gets an id and a title
    from its path: `docs-terms` and "Terms" from `docs/terms.md`, and "Terms (docs)" if another one
    would have that title too. The whole path is the title if that is not enough.
    """
    if len(glossaries) == 1:
        return (ProposedSource(glossary=glossaries[0], id=as_id(name), title=title),)
    sources: dict[str, ProposedSource] = {}
    titles = Counter([_title_of(PurePosixPath(glossary.paths[0])) for glossary in glossaries])
    for glossary in glossaries:
        path = PurePosixPath(glossary.paths[0])
        title_of_path = _title_of(path)
        if titles[title_of_path] > 1 and len(path.parts) > 1:
            title_of_path += f" ({path.parent})"
        if any(source.title == title_of_path for source in sources.values()):
            title_of_path = str(path)
        # Two paths may give one id, as `a/b.md` and `a-b.md`: the second gets a number.
        id_of_path = as_id(str(path.with_suffix("")))
        id = id_of_path
        number = 1
        while id in sources:
            number += 1
            id = f"{id_of_path}-{number}"
        sources[id] = ProposedSource(glossary=glossary, id=id, title=title_of_path)
    return tuple(sources.values())


def _title_of(path: PurePosixPath) -> str:
    """Returns a title for the last part of a path: "Web terms" for `docs/web-terms.md`."""
    words = re.sub("[-_ ]+", " ", path.stem).strip()
    return words.capitalize() if words.isupper() else words[:1].upper() + words[1:]


def translation_table(source: ProposedSource, found: FoundTranslation) -> str:
    """Returns the `[[translation]]` table of a source."""
    return table_text(
        "[[translation]]", {"of": source.id, "language": found.language, "paths": found.patterns}
    )


def proposed_table(source: ProposedSource, repository: str) -> str:
    """Returns the `[[source]]` table of a source."""
    paths = source.glossary.patterns
    # With `versions`, which names the files of releases, `paths` is for the unreleased ones alone.
    if source.versions:
        paths = tuple(map(literal, source.paths))
    return table_text(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            "git": repository,
            "versions": source.versions,
            "paths": paths,
            "format": source.glossary.format,
            "section": source.glossary.section,
            "tags": source.tags,
            "exclude": source.exclude,
            "by": source.by,
            "head": source.head,
        },
    )
