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
        world.result.append(
            f'[[corrected]]\nsource = "s"\nrelease = "{published}"\nreason = "a typo"\n'
        )


def continues(world: World, concept: Concept, release: str) -> None:
    """The next release defines all terms anew."""
    for one in world.glossaries[0].live():
        one.mark = f"{one.mark}new"
    world.result.append(f'[[continues]]\nsource = "s"\nrelease = "{release}"\nreason = "new"\n')


def renamed(world: World, concept: Concept, release: str) -> None:
    """The next release has another name and other words."""
    name = f"new {concept.name}"
    world.result.append(
        f'[[rename]]\nsource = "s"\nfrom = "{concept.name}"\nto = "{name}"\nrelease = "{release}"\n'
    )
    concept.name, concept.edition = name, concept.edition + 1


def renamed_everywhere(world: World, concept: Concept, release: str) -> None:
    """A name is corrected in the next release, for all releases."""
    name = f"new {concept.name}"
    world.result.append(f'[[rename]]\nsource = "s"\nfrom = "{concept.name}"\nto = "{name}"\n')
    concept.name, concept.edition = name, concept.edition + 1


def same(world: World, concept: Concept, release: str) -> None:
    """Two names mean one term."""
    _, other, *_ = named_plainly(world)
    other.defined = False
    world.result.append(f'[[same]]\nsource = "s"\nnames = ["{concept.name}", "{other.name}"]\n')


def distinct(world: World, concept: Concept, release: str) -> None:
    """The next release has another name for the same words, and this is another term."""
    name = f"new {concept.name}"
    world.result.append(f'[[distinct]]\nsource = "s"\nnames = ["{concept.name}", "{name}"]\n')
    concept.name = name


def withheld(world: World, concept: Concept, release: str) -> None:
    """The definitions of a term are withheld."""
    world.result.append(f'[[withheld]]\nterm = "{concept.name}"\nreason = "asked"\n')


def retired(world: World, concept: Concept, release: str) -> None:
    """The newest release is withdrawn, and its files are deleted."""
    published, _ = world.glossaries[0].released.pop()
    world.result.append(
        f'[[retired]]\nsource = "s"\nrelease = "{published}"\nreason = "withdrawn"\n'
    )


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
