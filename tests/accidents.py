"""Accidents: what happens to a glossary after it was published, and must not harm what was
published.

Each is a function of a world, which it changes. Those of files happen to one published release; in a
repository, its commit and those after it are made anew, and the tags moved. Undone is an accident
by going back to a copy of the world.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from histories import FOLDERS, Files, Glossary, Kind, Special, World, restructured

Accident = Callable[[World], None]

ITEM = re.compile(r"(?:## .+\n\n|(?: *[^\s`#.].*\n)+) *The mark\w+ thing .*\n\n")
"""Matches a term with its definition in any of the formats."""
PLAIN = ("volume", "snapshot", "image", "constructor", "naive")
"""Names that are in no other name, nor in a definition."""
ADDED = "\n\n## gadget\n\nThe markadditional thing is new here.\n\n"


# Files of one release.


def edit_words(world: World) -> None:
    _change(world, lambda text: text.replace("stands alone", "stood alone", 1))


def edit_all_words(world: World) -> None:
    _change(world, lambda text: text.replace("stands alone", "stood alone"))


def rename_term(world: World) -> None:
    name = world.random.choice(PLAIN)
    _change(world, lambda text: text.replace(name, f"{name}en"))


def change_case(world: World) -> None:
    name = world.random.choice(PLAIN)
    _change(world, lambda text: text.replace(name, name.title()))


def delete_term(world: World) -> None:
    _change(world, lambda text: text.replace(_item(text, world.random), ""))


def double_term(world: World) -> None:
    _change(world, lambda text: text.replace(_item(text, world.random), 2 * _item(text, Random(0))))


def add_term(world: World) -> None:
    _files(world)["ADDED.md"] = "# Glossary" + ADDED


def reorder_terms(world: World) -> None:
    _change(
        world, lambda text: text.replace(_item(text, world.random), "") + _item(text, Random(0))
    )


def change_line_ends(world: World) -> None:
    _change(world, lambda text: text.replace("\n", "\r\n"))


def empty_file(world: World) -> None:
    _change(world, lambda text: "")


def cut_file(world: World) -> None:
    _change(world, lambda text: text[: len(text) // 2])


def leave_conflict(world: World) -> None:
    _change(world, lambda text: f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n")


def break_characters(world: World) -> None:
    _replace(world, b"\xff\xfe\x00\xd8# Gloss\xc3ary\n")


def break_yaml(world: World) -> None:
    _files(world)["glossary.yaml"] = '- term: "open\n  definition: [\n'


def lose_file(world: World) -> None:
    files = _files(world)
    del files[world.random.choice([*files])]


def move_file(world: World) -> None:
    files = _files(world)
    name = world.random.choice([*files])
    files[f"elsewhere/{name}"] = files.pop(name)


def copy_file(world: World) -> None:
    files = _files(world)
    name = world.random.choice([*files])
    files[f"copy/{name}"] = files[name]


def change_format(world: World) -> None:
    """Writes the present terms of a release again, in another format."""
    glossary = world.random.choice(world.glossaries)
    _, files = glossary.released[-1]
    files.clear()
    for folder in FOLDERS:
        if concepts := [one for one in glossary.live() if one.folder == folder]:
            name, text = restructured(concepts)
            files[folder + name] = text


def make_folder_of_file(world: World) -> None:
    files = _files(world)
    name = world.random.choice([*files])
    del files[name]
    files[f"{name}/readme.txt"] = "Moved."


def make_link_of_file(world: World) -> None:
    _replace(world, Special.LINK)


def make_file_unreadable(world: World) -> None:
    _replace(world, Special.DEVICE)


# Releases, tags and clones.


def lose_release(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    if len(glossary.released) > 1:
        del glossary.released[world.random.randrange(len(glossary.released) - 1)]


def lose_newest_release(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    if len(glossary.released) > 1:
        del glossary.released[-1]


def empty_release(world: World) -> None:
    _files(world).clear()


def delete_tag(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    glossary.untagged.add(_release(glossary, world.random))


def delete_all_tags(world: World) -> None:
    for glossary in world.glossaries:
        glossary.untagged |= {release for release, _ in glossary.released}


def move_tag(world: World) -> None:
    """Moves a tag to a commit beside the main line, with other words."""
    glossary = world.random.choice(world.glossaries)
    release = _release(glossary, world.random)
    files = dict(glossary.released)[release]
    for name, content in files.items():
        if isinstance(content, str):
            files = {**files, name: content.replace("stands alone", "stood alone", 1)}
    glossary.moved[release] = files


def clone_shallowly(world: World) -> None:
    for glossary in world.glossaries:
        glossary.depth = world.random.randint(1, 4)


def change_dates(world: World) -> None:
    world.random.choice(world.glossaries).days_later = 3


# site.toml.


def change_title(world: World) -> None:
    world.settings["title"] = '"Words"'
    world.random.choice(world.glossaries).settings["title"] = '"Other words"'


def change_base_url(world: World) -> None:
    world.settings["base_url"] = '"https://example.org/words/"'


def change_id(world: World) -> None:
    world.random.choice(world.glossaries).id += "y"


def swap_sources(world: World) -> None:
    world.glossaries.reverse()


def drop_source(world: World) -> None:
    if len(world.glossaries) > 1:
        world.glossaries.pop(world.random.randint(0, 1))


def claim_id(world: World) -> None:
    """A source is dropped, and the other one, which was published too, says that it was formerly
    that one."""
    if len(world.glossaries) > 1 and all(len(one.released) > 1 for one in world.glossaries):
        dropped = world.glossaries.pop(world.random.randint(0, 1))
        world.glossaries[0].formerly.append(dropped.id)
        world.result.append("# one source, so that no other one gets this id\n")


def forget_tables(world: World) -> None:
    """Deletes the tables about names: renames, terms that are the same or distinct."""
    for glossary in world.glossaries:
        glossary.result = [table for table in glossary.result if "[[retired]]" in table]


def date_release(world: World) -> None:
    release = _release(world.random.choice(world.glossaries), world.random)
    world.result.append(f'[[release]]\nname = "{release}"\ndate = 2001-01-01\n')


def finish_release(world: World) -> None:
    release, _ = world.random.choice(world.glossaries).released[-1]
    world.result.append(f'[[release]]\nname = "{release}"\nfinal = true\n')


def withdraw_release(world: World) -> None:
    release = _release(world.random.choice(world.glossaries), world.random)
    world.result.append(f'[[retired]]\nrelease = "{release}"\nreason = "wrong"\n')


def reverse_order(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    names = [release for release, _ in glossary.standing()]
    glossary.order = names[::-1]


def name_format(world: World) -> None:
    world.random.choice(world.glossaries).settings["format"] = '"myst"'


def move_folder(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    glossary.origin = f"old-{glossary.origin}"


def mistype_folder(world: World) -> None:
    world.random.choice(world.glossaries).settings["folder"] = '"elsewhere"'


def change_paths(world: World) -> None:
    world.random.choice(world.glossaries).settings["paths"] = '["docs/more", "docs"]'


def mistype_paths(world: World) -> None:
    world.random.choice(world.glossaries).settings["paths"] = '["dcos"]'


def exclude_tags(world: World) -> None:
    glossary = world.random.choice(world.glossaries)
    glossary.settings["exclude"] = f'["{_release(glossary, world.random)}"]'


def take_prereleases(world: World) -> None:
    world.random.choice(world.glossaries).settings["prereleases"] = "true"


def choose_tags(world: World) -> None:
    world.random.choice(world.glossaries).settings["tags"] = '["[2-9].*"]'


def read_head(world: World) -> None:
    world.random.choice(world.glossaries).settings["head"] = '"main"'


def change_period(world: World) -> None:
    world.random.choice(world.glossaries).settings["by"] = '"year"'


def two_at_once(world: World) -> None:
    one, other = world.random.sample(ACCIDENTS[world.kind], 2)
    one(world)
    other(world)


OF_FILES: tuple[Accident, ...] = (
    edit_words,
    edit_all_words,
    rename_term,
    change_case,
    delete_term,
    double_term,
    add_term,
    reorder_terms,
    change_line_ends,
    empty_file,
    cut_file,
    leave_conflict,
    break_characters,
    break_yaml,
    lose_file,
    move_file,
    copy_file,
    change_format,
    make_folder_of_file,
    make_link_of_file,
    make_file_unreadable,
    lose_release,
    lose_newest_release,
    empty_release,
)
OF_TAGS = (delete_tag, delete_all_tags, move_tag)
OF_REPOSITORIES = (clone_shallowly, change_dates)
OF_SETTINGS = (
    change_title,
    change_base_url,
    change_id,
    swap_sources,
    drop_source,
    claim_id,
    forget_tables,
    date_release,
    finish_release,
    withdraw_release,
    reverse_order,
    name_format,
    move_folder,
    two_at_once,
)
OF_GIT_SETTINGS = (change_paths, mistype_paths)
OF_TAG_SETTINGS = (*OF_GIT_SETTINGS, exclude_tags, take_prereleases, choose_tags, read_head)

SOURCES_ONLY = frozenset((*OF_FILES, *OF_TAGS, *OF_REPOSITORIES))
"""Those that do not change site.toml."""

ACCIDENTS: dict[Kind, tuple[Accident, ...]] = {
    "folders": (*OF_FILES, *OF_SETTINGS, mistype_folder),
    "tags": (*OF_FILES, *OF_TAGS, *OF_REPOSITORIES, *OF_SETTINGS, *OF_TAG_SETTINGS),
    "months": (*OF_FILES, *OF_REPOSITORIES, *OF_SETTINGS, *OF_GIT_SETTINGS, change_period),
}
"""What can happen, by where the releases are."""


def _release(glossary: Glossary, random: Random) -> str:
    release, _ = random.choice([*glossary.standing()])
    return release


def _files(world: World) -> Files:
    """Returns the files of a published release that has some."""
    glossaries = [one for one in world.glossaries if any(files for _, files in one.standing())]
    glossary = world.random.choice(glossaries)
    return world.random.choice([files for _, files in glossary.standing() if files])


def _change(world: World, change: Callable[[str], str]) -> None:
    """Changes the text of a file."""
    files = _files(world)
    name = world.random.choice([*files])
    content = files[name]
    if isinstance(content, str):
        files[name] = change(content)


def _replace(world: World, content: bytes | Special) -> None:
    files = _files(world)
    files[world.random.choice([*files])] = content


def _item(text: str, random: Random) -> str:
    """Returns a term of a text, with its definition; the text if it has none."""
    return random.choice(ITEM.findall(text) or [text])
