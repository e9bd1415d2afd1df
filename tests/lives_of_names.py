"""Random years of glossaries in which names and words are corrected, withdrawn, taken over and
moved, with the truth.

A year is plain data: for each source, for each release, the concepts that it defines, each with a
name and the number of its wording. Every wording is unlike all others, so that it is known wherever
it is shown. Before each build something happens to the newest release or to an older one; what has
to be declared in site.toml is declared at once, or left to the refusal and pasted from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from glossaries import with_documents

from sitegen.config.parsing import Config, parse
from sitegen.model import Document, Release, Source
from sitegen.sources.reading import Glossaries

NAMES = "anchor buffer cursor driver editor folder gadget handle".split()

Entries = dict[str, tuple[str, int]]
"""Concept to its name, and the number of its wording, in one release."""


def words(concept: str, edition: int) -> str:
    """Returns a wording. Only its last two words differ from the other wordings of the concept."""
    return (
        f"What {concept} means to all who meet it on their way through {concept}, in print "
        f"{concept}{edition}."
    )


@dataclass(slots=True)
class Year:
    """The sources of a site, and site.toml."""

    random: Random
    sources: dict[str, dict[str, Entries]] = field(default_factory=lambda: {"a": {}})
    """Source id to its releases in order."""
    tables: list[str] = field(default_factory=list)
    former_ids: dict[str, list[str]] = field(default_factory=dict)
    concepts: int = 0
    maintained: set[tuple[str, str]] = field(default_factory=set)
    """Releases of older lines, which are not made again after they were lost."""

    def files(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """Returns the name and words of each entry, by source and release."""
        return {
            (source, release): [
                (name, words(concept, edition)) for concept, (name, edition) in entries.items()
            ]
            for source, releases in self.sources.items()
            for release, entries in releases.items()
        }

    def inputs(self) -> tuple[Config, Glossaries]:
        """Returns site.toml, and the sources as they are read; the newest release of each is an
        open folder."""
        toml = "".join(
            f'[[source]]\nid = "{source}"\nfolder = "{source}"\nformerly = '
            f"{self.former_ids.get(source, [])}\n"
            for source in self.sources
        )
        read = []
        for source, releases in self.sources.items():
            documents = [
                Document(
                    source=source,
                    release=release,
                    path=f"{source}/{release}/a.md",
                    name="a.md",
                    text=_text(terms),
                )
                for (of, release), terms in self.files().items()
                if of == source
            ]
            named = tuple(Release(name=one, open=one == [*releases][-1]) for one in releases)
            made = Source(id=source, title=source, releases=named)
            read.append(with_documents(made, documents))
        config = parse(toml + "".join(self.tables), path="site.toml")
        return config, Glossaries(sources=tuple(read))

    def paste(self, tables: tuple[str, ...], source: str) -> None:
        """Follows a remedy."""
        for table in tables:
            if source:
                self.former_ids[source] = [
                    *self.former_ids.get(source, []),
                    *table.split('"')[1::2],
                ]
            else:
                self.tables.append(table.replace("…", "pasted") + "\n")

    # Ordinary releases.

    def release(self, name: str) -> None:
        """Adds a release to each source, with one to three changes."""
        for source, releases in self.sources.items():
            entries = dict([*releases.values()][-1]) if releases else {}
            for _ in range(self.random.randint(1, 3) if entries else 4):
                self.random.choice(
                    (self.add, self.add, self.remove, self.rename, self.reword, self.take_over)
                )(source, name, entries)
            releases[name] = entries

    def free(self, entries: Entries) -> list[str]:
        return [name for name in NAMES if name not in {used for used, _ in entries.values()}]

    def add(self, source: str, release: str, entries: Entries) -> None:
        if free := self.free(entries):
            self.concepts += 1
            entries[f"thing{self.concepts}x"] = self.random.choice(free), 1

    def remove(self, source: str, release: str, entries: Entries) -> None:
        if len(entries) > 2:
            del entries[self.random.choice([*entries])]

    def rename(self, source: str, release: str, entries: Entries) -> None:
        if entries and (free := self.free(entries)):
            concept = self.random.choice([*entries])
            entries[concept] = self.random.choice(free), entries[concept][1]

    def reword(self, source: str, release: str, entries: Entries) -> None:
        if entries:
            concept = self.random.choice([*entries])
            entries[concept] = entries[concept][0], entries[concept][1] + 1

    def take_over(self, source: str, release: str, entries: Entries) -> None:
        """A concept gives its name away by a [[rename]], and another one takes it at once."""
        before = [*self.sources[source].values()]
        settled = [one for one in entries if before and before[-1].get(one) == entries[one]]
        if len(settled) > 1 and (free := self.free(entries)):
            gives, takes = self.random.sample(settled, 2)
            old, new = entries[gives][0], self.random.choice(free)
            entries[gives], entries[takes] = (new, entries[gives][1]), (old, entries[takes][1])
            self.declare("rename", source, f'from = "{old}"\nto = "{new}"\nrelease = "{release}"\n')

    def declare(self, table: str, source: str, keys: str) -> None:
        self.tables.append(f'[[{table}]]\nsource = "{source}"\n{keys}')

    def some_release(self, *, but_newest: bool = True) -> tuple[str, str] | None:
        """Returns a source and one of its published releases."""
        source = self.random.choice([*self.sources])
        releases = [*self.sources[source]]
        chosen = releases[:-1] if but_newest else releases
        return (source, self.random.choice(chosen)) if chosen else None

    # What happens to published releases. Each returns whether a build has to refuse it.

    def edit_newest(self) -> bool:
        """Mends a typo in the newest folder, whose words are open."""
        source = self.random.choice([*self.sources])
        if self.sources[source]:
            self.reword(source, "", [*self.sources[source].values()][-1])
        return False

    def correct_name(self) -> bool:
        """Corrects a name in all releases of one source that have it, and declares it."""
        source, name = self.random.choice([*self.sources]), self.random.choice(NAMES)
        new = f"{name}{self.random.choice('xyz')}"
        of_name = {
            concept
            for entries in self.sources[source].values()
            for concept, (called, _) in entries.items()
            if called == name
        }
        if len(of_name) == 1 and not self.is_corrected(source, name):
            for entries in self.sources[source].values():
                for concept, (called, edition) in entries.items():
                    entries[concept] = (new if called == name else called), edition
            self.declare("rename", source, f'from = "{name}"\nto = "{new}"\n')
        return False

    def correct_name_once(self) -> bool:
        """Corrects a name in one old release only."""
        at = self.some_release()
        entries = self.sources[at[0]][at[1]] if at else {}
        corrected = [one for one in entries if at and not self.is_corrected(at[0], entries[one][0])]
        if corrected and (free := self.free(entries)):
            concept = self.random.choice(corrected)
            entries[concept] = self.random.choice(free), entries[concept][1]
            return True
        return False

    def is_corrected(self, source: str, name: str) -> bool:
        """True if site.toml says already what a name of a source was corrected to."""
        return any(f'source = "{source}"\nfrom = "{name}"' in table for table in self.tables)

    def correct_words(self) -> bool:
        """Corrects a wording in one old release only."""
        if (at := self.some_release()) and (entries := self.sources[at[0]][at[1]]):
            concept = self.random.choice([*entries])
            entries[concept] = entries[concept][0], 100 + self.random.randrange(10**6)
            return True
        return False

    def add_to_old(self) -> bool:
        """Adds a term of a new name to an old release."""
        if at := self.some_release():
            self.concepts += 1
            self.sources[at[0]][at[1]][f"thing{self.concepts}x"] = f"item {self.concepts}", 1
        return False

    def withdraw(self) -> bool:
        """Withdraws a release, the newest one too, and declares it."""
        at = self.some_release(but_newest=self.random.random() < 0.5)
        if at and len(self.sources[at[0]]) > 2:
            del self.sources[at[0]][at[1]]
            self.declare("retired", at[0], f'release = "{at[1]}"\nreason = "withdrawn"\n')
        return False

    def lose(self) -> bool:
        """Loses an old release."""
        at = self.some_release()
        if at and len(self.sources[at[0]]) > 2:
            del self.sources[at[0]][at[1]]
            return True
        return False

    def maintain(self) -> bool:
        """Makes a release of an older line: it comes after the release that it mends, and before
        later ones."""
        if at := self.some_release():
            source, release = at
            entries = dict(self.sources[source][release])
            self.reword(source, "", entries)
            older = [*self.sources[source].items()]
            place = [name for name, _ in older].index(release) + 1
            if (source, f"{release}.1") not in self.maintained:
                self.maintained.add((source, f"{release}.1"))
                self.sources[source] = dict(
                    [*older[:place], (f"{release}.1", entries), *older[place:]]
                )
        return False

    def second_source(self) -> bool:
        """Another source appears, or sources change their order."""
        if len(self.sources) == 1:
            source = "b" if "b" not in self.sources else "a"
            self.sources[source] = {}
        else:
            self.sources = dict(reversed(self.sources.items()))
        return False

    def another_id(self) -> bool:
        """A source gets another id, which site.toml says."""
        source = self.random.choice([*self.sources])
        if source in "ab":
            self.sources = {
                f"{one}{one}" if one == source else one: of for one, of in self.sources.items()
            }
            self.former_ids[source * 2] = [source]
            self.maintained |= {
                (source * 2, release) for of, release in self.maintained if of == source
            }
            self.tables = [
                table.replace(f'source = "{source}"', f'source = "{source * 2}"')
                for table in self.tables
            ]
        return False

    def nothing(self) -> bool:
        return False


EVENTS: tuple[Callable[[Year], bool], ...] = (
    Year.nothing,
    Year.edit_newest,
    Year.correct_name,
    Year.correct_name_once,
    Year.correct_words,
    Year.add_to_old,
    Year.withdraw,
    Year.lose,
    Year.maintain,
    Year.second_source,
    Year.another_id,
)


def _text(terms: list[tuple[str, str]]) -> str:
    return "# Glossary\n\n" + "".join(
        f"## {name}\n\n{definition}\n\n" for name, definition in terms
    )
