"""What a person declares in site.toml about published terms, in a random history.

Each is a function that declares something about one concept. With some, the next release has what
the declaration is about.
"""

from __future__ import annotations

from collections.abc import Callable

from histories import Concept, World

Declaration = Callable[[World, Concept, str], None]
"""Takes the world, the concept, and the name of the next release."""


def corrected(world: World, concept: Concept, release: str) -> None:
    """Words of all published releases are corrected."""
    for published, files in world.glossaries[0].released:
        for name, content in files.items():
            if isinstance(content, str):
                files[name] = content.replace(concept.mark, f"mended {concept.mark}")
        _declare(world, "corrected", f'release = "{published}"\nreason = "a typo"\n')


def continues(world: World, concept: Concept, release: str) -> None:
    """The next release defines all terms anew."""
    for one in world.glossaries[0].live():
        one.mark = f"{one.mark}new"
    _declare(world, "continues", f'release = "{release}"\nreason = "new"\n')


def renamed(world: World, concept: Concept, release: str) -> None:
    """The next release has another name and other words."""
    name = f"new {concept.name}"
    names = f'from = "{concept.name}"\nto = "{name}"\n'
    _declare(world, "rename", f'{names}release = "{release}"\n')
    concept.name, concept.edition = name, concept.edition + 1


def renamed_everywhere(world: World, concept: Concept, release: str) -> None:
    """A name is corrected in the next release, for all releases."""
    name = f"new {concept.name}"
    _declare(world, "rename", f'from = "{concept.name}"\nto = "{name}"\n')
    concept.name, concept.edition = name, concept.edition + 1


def same(world: World, concept: Concept, release: str) -> None:
    """Two names mean one term, if there are two."""
    _, *others = named_plainly(world)
    if not others:
        return
    other = others[0]
    other.defined = False
    _declare(world, "same", f'names = ["{concept.name}", "{other.name}"]\n')


def distinct(world: World, concept: Concept, release: str) -> None:
    """The next release has another name for the same words, and this is another term."""
    name = f"new {concept.name}"
    _declare(world, "distinct", f'names = ["{concept.name}", "{name}"]\n')
    concept.name = name


def withheld(world: World, concept: Concept, release: str) -> None:
    """The definitions of a term are withheld."""
    world.result.append(f'[[withheld]]\nterm = "{concept.name}"\nreason = "asked"\n')


def retired(world: World, concept: Concept, release: str) -> None:
    """The newest release is withdrawn, and its files are deleted."""
    published, _ = world.glossaries[0].released.pop()
    _declare(world, "retired", f'release = "{published}"\nreason = "withdrawn"\n')


def _declare(world: World, table: str, keys: str) -> None:
    """Adds a table about the first glossary."""
    world.result.append(f'[[{table}]]\nsource = "{world.glossaries[0].id}"\n{keys}')


DECLARATIONS: tuple[Declaration, ...] = (
    corrected,
    continues,
    renamed,
    renamed_everywhere,
    same,
    distinct,
    withheld,
    retired,
)


def named_plainly(world: World) -> list[Concept]:
    """Returns the concepts of the first glossary whose names TOML can have as they are."""
    return [one for one in world.glossaries[0].live() if one.name.replace(" ", "").isalnum()]
