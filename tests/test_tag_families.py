"""The tags of a repository that are the project's releases."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from pathlib import Path
from unicodedata import normalize

import pytest
from repositories import Repository

from sitegen.config.tables import ReleaseTable, SourceTable
from sitegen.model import Skipped, Source
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git_source import read_git


def read(
    repository: Repository,
    *,
    named: Collection[str] = (),
    published: Collection[str] = (),
    **settings: object,
) -> Source:
    source = SourceTable(id="s", git=".", **{"paths": ("glossary.md",), **settings})  # type: ignore[arg-type]
    clones = Clones(folder=repository.path.parent / "cache")
    declared = {name: ReleaseTable(name=name) for name in named}
    return read_git(source, declared, root=repository.path, clones=clones, published=published)


def names(gathered: Source) -> list[str]:
    return [release.name for release in gathered.releases]


def states(repository: Repository, *tags: str) -> None:
    """Commits a state for each group of tags, one year after the other; commas join tags of one
    state."""
    for number, group in enumerate(tags):
        repository.commit({"glossary.md": f"text {number}\n"}, day=date(2001 + number, 1, 1))
        for tag in group.split(","):
            repository.git("tag", tag)


@pytest.mark.parametrize(
    ("tags", "releases"),
    [
        ("v1.0,pkg-lib-v1.0,pkg@1.0.0 v1.1,lts-v1.1,test-build-2 home-0.5.5 v2.0", "1.0 1.1 2.0"),
        ("rel_2_0_5,rel_2_0_5_post1 rel_2_0_6", "2.0.5 2.0.5.post1 2.0.6"),
        ("v2001-01-01 v1.0 v1.1", "2001-01-01 1.0 1.1"),
        ("1.0.0.RELEASE 1.1.0.RELEASE 1.2.0", "1.0.0.RELEASE 1.1.0.RELEASE 1.2.0"),
        (
            "book2-nov3 book2-nov18 book2-dec10 book3-jan5",
            "book2-nov3 book2-nov18 book2-dec10 book3-jan5",
        ),
        ("v1.0.0,version/1.0.0 v1.1.0,version/1.1.0", "1.0.0 1.1.0"),
        (
            "named-release-birch named-release/dogwood,ned/test/x.1 open-release/ficus.1 "
            "open-release/sumac.1",
            "birch dogwood ficus sumac",
        ),
        ("project-v1.0,projectlib-v1.0 projectlib-v1.1 project-v1.1 projectlib-v1.2", "1.0 1.1"),
        ("project-1.0 project-1.1 website-old website-logo website-new", "1.0 1.1"),
        ("2.9,tools-1 2.10 2.11,tools-2", "2.9 2.10 2.11"),
        ("upstream/1.0,deb/1.0-1 deb/1.0-2 upstream/1.1,deb/1.1-1", "1.0 1.1"),
        (
            "archive/DOC-1-one archive/DOC-2,staging 2.8,archive/DOC-3 archive/DOC-4-fix 2.9",
            "2.8 2.9",
        ),
        ("v0.1-alpha.1-dev.a6ded95 v0.1-alpha.1-dev.e774d67 v0.1 v0.2-dev.04987ce", "0.1"),
        (
            "1.0 1.1 1.2 1.3 2.0 2.1 2.2 4.0 2.2.1 2.2.2 2.2.3 2.2.4",
            "1.0 1.1 1.2 1.3 2.0 2.1 2.2 4.0",
        ),
        ("20240131a 20240229b 20240331c", "20240131a 20240229b 20240331c"),
        ("1.9 2.0 3.0 2.9.1 2.9.2 2.9.3", "1.9 2.0 3.0"),
        ("3f02ad3 release/8c04d6c,release/v1.0 b0ab219 release/v2.0", "1.0 2.0"),
        ("4.1 4.1.1 4.2 4.2.1,stable 5.0,latest", "4.1 4.1.1 4.2 4.2.1 5.0"),
        ("2.14 2.15.1 2.15 2.16", "2.14 2.15 2.15.1 2.16"),
        ("v1.0 v1.0-1 v1.1 v1.1-1", "1.0 1.0-1 1.1 1.1-1"),
        ("v0.1.14 v0.1.15,v1 v2.0.0", "0.1.14 0.1.15 2.0.0"),
        ("2015.1.0 5.0.0 2015.1.2 5.0.1 2015.1.3 6.0.0", "2015.1.0 5.0.0 5.0.1 6.0.0"),
        ("2015.1.0 5.0.0 2015.1.2", "2015.1.0 5.0.0"),
        ("5.0 2015.1 2015.2 5.0.1", "5.0 2015.1 2015.2"),
        ("v1.1 v1.2 20200101 v1.2.1", "1.1 1.2 1.2.1"),
        ("tool-1.0 tool-1.1 tool-1.2 core-1.3 core-1.4", "1.3 1.4"),
    ],
)
def test_one_family_of_tags_is_the_projects_own(
    repository: Repository, tags: str, releases: str
) -> None:
    """Tags of other packages and of experiments are not releases; the releases are in the project's
    order."""
    states(repository, *tags.split())
    assert names(read(repository)) == releases.split()


def test_tags_may_be_named_after_what_is_documented(tmp_path: Path) -> None:
    """In the repository of the documents of `saw`, `saw-1.1` is the release after `v1.0`."""
    repository = Repository(tmp_path / "saw.docs")
    states(repository, "v1.0", "saw-1.1", "saw-1.2,jig-3.0")
    assert names(read(repository)) == ["1.0", "1.1", "1.2"]


def test_other_families_are_one_problem_and_can_be_chosen(repository: Repository) -> None:
    """One line names a tag of each other family, and `tags` can select it."""
    states(repository, "v1.0,lib-1.0", "v1.1,lib-1.1", "v1.2,odd-1")
    (problem,) = read(repository).problems
    assert (
        problem.found
        == "tags of something else are left out: lib-1.1 and 1 more of its kind, odd-1"
    )
    assert names(read(repository, tags=("lib-*",))) == ["1.0", "1.1"]


@pytest.mark.parametrize(
    ("path", "releases"),
    [
        ("cli/GLOSSARY.md", "0.3"),
        ("packages/web/docs/GLOSSARY.md", "0.4"),
        ("tools/terminal/GLOSSARY.md", "0.5"),
        ("core/docs/GLOSSARY.md", "1.0 1.1"),
        ("docs/GLOSSARY.md", "1.0 1.1"),
        ("skills/GLOSSARY.md", "1.0 1.1"),
    ],
)
def test_the_tags_of_a_package_are_those_of_the_glossary_in_it(
    repository: Repository, path: str, releases: str
) -> None:
    """The name of the folder chooses among families that all have the glossary."""
    repository.commit({path: "text\n"})
    for tag in (
        "core-v1.0",
        "core-v1.1",
        "cli-v0.3",
        "packages/web/v0.4",
        "@acme/terminal@0.5",
        "docs-9.0",
        "my-skills@1.0",
    ):
        repository.commit({})
        repository.git("tag", tag)
    assert " ".join(names(read(repository, paths=(path,)))) == releases


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("v1.{}", "loom-ext-dyes_0.{}"),
        ("tools/loom/v1.{}", "loom-ext-dyes_0.{}"),
        ("release-1.{}", "loom-plugin/0.{}"),
        ("@acme/loom@1.{}", "looms-v0.{}"),
    ],
)
def test_a_name_that_only_begins_with_that_of_the_folder_is_of_something_else(
    repository: Repository, own: str, other: str
) -> None:
    """A prefix is that of a package if all of its name is, not if it begins with it."""
    path = "tools/loom/docs/GLOSSARY.md"
    for number in range(3):
        repository.commit({path: f"text {number}\n"})
        repository.git("tag", own.format(number))
        repository.git("tag", other.format(number))
    assert names(read(repository, paths=(path,))) == ["1.0", "1.1", "1.2"]


@pytest.mark.parametrize("settings", [{}, {"tags": ("release/*",)}])
def test_of_tags_that_differ_only_in_their_unicode_form_one_is_read(
    repository: Repository, settings: dict[str, object]
) -> None:
    """Two tags that look the same are one release."""
    states(repository, "release/aster", "release/caf\u00e9", "release/cafe\u0301")
    found = [normalize("NFC", name) for name in names(read(repository, **settings))]
    assert len([name for name in found if name.endswith("caf\u00e9")]) == 1


def test_a_family_without_the_glossary_is_not_chosen(repository: Repository) -> None:
    """The tags of the package with the glossary are the releases, even if others are plainer and
    more."""
    for number in range(3):
        repository.commit({"code": str(number)}, day=date(2001, 1, number + 1))
        repository.git("tag", f"v1.{number}")
    repository.commit({"glossary.md": "text\n"}, day=date(2002, 1, 1))
    repository.git("tag", "docs-1.0")
    repository.git("checkout", "--quiet", "-b", "side", "v1.2")
    repository.commit({"code": "more"}, day=date(2003, 1, 1))
    repository.git("tag", "v1.3")
    assert names(read(repository)) == ["1.0"]


def test_a_maintenance_release_with_words_of_its_own_is_left_out(repository: Repository) -> None:
    """A release of an old line after a newer version removes and restores nothing."""
    repository.release("v1.0", "one\n", day=date(2001, 1, 1))
    repository.git("checkout", "--quiet", "-b", "old")
    repository.git("checkout", "--quiet", "main")
    repository.release("v2.0", "two\n", day=date(2002, 1, 1))
    repository.git("checkout", "--quiet", "old")
    repository.commit({"code": "fixed"}, day=date(2003, 1, 1))
    repository.git("tag", "v1.0.1")
    repository.release("v1.0.2", "one, backported\n", day=date(2003, 1, 2))
    gathered = read(repository, paths=("GLOSSARY.md",))
    assert names(gathered) == ["1.0", "1.0.1", "2.0"]
    assert [(skipped.reason, skipped.names) for skipped in gathered.skipped] == [
        ("maintenance", ("v1.0.2",))
    ]
    assert "1.0.2" in names(read(repository, paths=("GLOSSARY.md",), named=("1.0.2",)))


def test_tags_before_the_glossary_are_on_no_line(repository: Repository) -> None:
    """A tag without the glossary, such as `v2`, makes no later tag one of an older line."""
    repository.commit({"code": "one"}, day=date(2001, 1, 1))
    repository.git("tag", "v2")
    repository.release("v0.0.1", "one\n", day=date(2002, 1, 1))
    repository.release("v0.1.0", "two\n", day=date(2003, 1, 1))
    repository.release("v0.0.2", "one, backported\n", day=date(2004, 1, 1))
    gathered = read(repository, paths=("GLOSSARY.md",))
    assert names(gathered) == ["0.0.1", "0.1.0"]
    assert gathered.skipped == (
        Skipped(reason="before", names=("2",)),
        Skipped(reason="maintenance", names=("v0.0.2",)),
    )


def test_tags_before_the_glossary_tell_when_a_version_was_set(repository: Repository) -> None:
    """The first version with the glossary is a release also if a patch of the line before it came
    later."""
    for number, tag in enumerate(("v1.0.0", "v1.0.1")):
        repository.commit({"code": tag}, day=date(2001 + number, 1, 1))
        repository.git("tag", tag)
    repository.git("checkout", "--quiet", "-b", "1.1")
    repository.release("v1.1.0", "one\n", day=date(2003, 1, 1))
    repository.git("checkout", "--quiet", "-b", "1.0", "v1.0.1")
    repository.commit({"code": "fixed"}, day=date(2004, 1, 1))
    repository.git("tag", "v1.0.2")
    repository.git("checkout", "--quiet", "main")
    repository.release("v1.2.0", "two\n", day=date(2005, 1, 1))
    assert names(read(repository, paths=("GLOSSARY.md",))) == ["1.1.0", "1.2.0"]


def test_a_published_line_gets_no_older_release(repository: Repository) -> None:
    """A maintenance release stays unread even if it had the glossary before all published ones."""
    for number, tag in enumerate(("v1.0", "v2.0")):
        repository.commit({"code": tag}, day=date(2001 + number, 1, 1))
        repository.git("tag", tag)
    repository.release("v1.1", "one, backported\n", day=date(2003, 1, 1))
    repository.release("v2.1", "one\n", day=date(2004, 1, 1))
    assert names(read(repository, paths=("GLOSSARY.md",))) == ["1.1", "2.1"]
    assert names(read(repository, paths=("GLOSSARY.md",), published=("2.1",))) == ["2.1"]


def test_a_moved_tag_makes_no_release_of_another_tag(repository: Repository) -> None:
    """A maintenance release that was not published stays unread when the newest tag is moved to a
    later commit."""
    repository.release("v1.0", "one\n", day=date(2001, 1, 1))
    repository.release("v2.0", "two\n", day=date(2002, 1, 1))
    repository.git("checkout", "--quiet", "-b", "old", "v1.0")
    repository.release("v1.0.1", "one, backported\n", day=date(2003, 1, 1))
    repository.git("checkout", "--quiet", "main")
    repository.commit({"GLOSSARY.md": "two, corrected\n"}, day=date(2004, 1, 1))
    repository.git("tag", "--force", "v2.0")
    paths = ("GLOSSARY.md",)
    published = read(repository, paths=paths, published=("1.0", "2.0"))
    assert names(published) == ["1.0", "2.0"]
    assert [(skipped.reason, skipped.names) for skipped in published.skipped] == [
        ("maintenance", ("v1.0.1",))
    ]
    for settings in (
        {},
        {"published": ("1.0", "1.0.1", "2.0")},
        {"published": ("2.0",)},
        {"tags": ("v*",)},
    ):
        assert names(read(repository, paths=paths, **settings)) == ["1.0", "1.0.1", "2.0"]
    assert "1.0.1" in names(
        read(repository, paths=paths, published=("1.0", "2.0"), named=("1.0.1",))
    )


def test_a_tag_on_an_older_state_of_another_line_is_no_release(repository: Repository) -> None:
    """A version on a commit that is older than the version before it, and not in the history of
    the newest, is read only where it is named."""
    states(repository, "v1.0")
    repository.git("checkout", "--quiet", "-b", "other")
    states(repository, "elsewhere")
    repository.git("checkout", "--quiet", "main")
    states(repository, "v1.1", "v1.3")
    repository.git("tag", "v1.2", "elsewhere")
    assert names(read(repository)) == ["1.0", "1.1", "1.3"]
    assert names(read(repository, named=("1.2",))) == ["1.0", "1.1", "1.2", "1.3"]


def test_a_release_of_the_former_scheme_is_read_where_it_is_named(repository: Repository) -> None:
    """What came after the project had changed its scheme is a release if site.toml names it."""
    states(repository, "2015.1", "5.0", "2015.2", "6.0")
    assert names(read(repository)) == ["2015.1", "5.0", "6.0"]
    assert names(read(repository, named=("2015.2",))) == ["2015.1", "5.0", "2015.2", "6.0"]


def test_a_lower_version_beside_another_scheme_is_a_maintenance_release(
    repository: Repository,
) -> None:
    """The message says so also where the project had changed its scheme."""
    states(repository, "2015.1", "5.0", "6.0", "5.1")
    gathered = read(repository)
    assert names(gathered) == ["2015.1", "5.0", "6.0"]
    assert gathered.skipped == (Skipped(reason="maintenance", names=("5.1",)),)


@pytest.mark.parametrize(
    ("tags", "before", "after"),
    [
        ("v1.1 v1.1.1 v1.3", "1.0 1.1 1.1.1 1.3", "1.0 1.1 1.1.1 1.2 1.3"),
        ("v1.1 v1.3 v1.1.1", "1.0 1.1 1.3", "1.0 1.1 1.2 1.3"),
    ],
)
def test_a_tag_set_later_on_an_older_commit_leaves_other_releases_as_they_are(
    repository: Repository, tags: str, before: str, after: str
) -> None:
    """A version whose commit is older than the whole line before it follows that line, but not the
    next version."""
    states(repository, "v1.0", "unused", *tags.split())
    assert names(read(repository)) == before.split()
    repository.git("tag", "v1.2", "unused")
    assert names(read(repository)) == after.split()


@pytest.mark.parametrize(
    ("tags", "alias"),
    [
        ("v1.0.0 v2.0.0", "v2"),
        ("v1.0.0 v1.1.0 v2.0.0 v2.1.0", "v1"),
        ("v2.1.0 v2.1.1 fix v2.2.0", "v2"),
        ("v1.0.0 v1.2.0 v1.2.1", "v1.2"),
        ("v1.0.0 v1.1.0", "stable"),
    ],
)
def test_a_tag_that_moves_over_the_releases_changes_none_of_them(
    repository: Repository, tags: str, alias: str
) -> None:
    """A short tag on the commit of a fuller one, or after one, is no release, and is named."""
    states(repository, *tags.split())
    before = read(repository)
    for commit in tags.split()[tags.split().index("fix") if "fix" in tags else 1 :]:
        repository.git("tag", "--force", alias, commit)
        gathered = read(repository)
        assert gathered.releases == before.releases
        assert (alias,) in [skipped.names for skipped in gathered.skipped]


def test_a_short_tag_beside_the_same_version_in_full_is_no_release(repository: Repository) -> None:
    """`4.2` repeats a `4.2.0` that was tagged after it; before `4.2.1` it is a release."""
    states(repository, "4.1", "4.1.1", "4.2", "4.2.0")
    assert names(read(repository)) == ["4.1", "4.1.1", "4.2.0"]


def test_of_several_versions_on_one_commit_the_lowest_is_a_release(repository: Repository) -> None:
    """A commit is one release: a version that is tagged on it later, or by mistake, changes no
    other release."""
    states(repository, "0.4.3", "0.4.4", "0.4.5", "0.5.0")
    before = read(repository).releases
    for again, commit in (("0.4.6", "0.4.5"), ("4.3.1", "0.4.4"), ("v0.4.3", "0.4.3")):
        repository.git("tag", again, commit)
    gathered = read(repository)
    assert gathered.releases == before
    assert ("alias", ("0.4.6", "4.3.1")) in [
        (skipped.reason, skipped.names) for skipped in gathered.skipped
    ]
    assert names(read(repository, named=("0.4.6",)))[2:] == ["0.4.5", "0.4.6", "0.5.0"]


def test_a_commit_of_two_lines_is_a_release_of_the_later_line(repository: Repository) -> None:
    """A commit that is also tagged as a version of an older line is the release of the newer
    one."""
    states(repository, "1.0.1", "2.0.0", "2.0.1", "2.0.2")
    before = read(repository).releases
    repository.git("tag", "1.0.2", "2.0.1")
    assert read(repository).releases == before


def test_a_short_tag_that_was_set_after_fuller_ones_is_a_release_where_it_is_named(
    repository: Repository,
) -> None:
    """A short tag that was set anew on a branch of its own is in its place if site.toml names
    it."""
    states(repository, "v1.0.1", "v1.0.2", "v1.1.0")
    repository.git("checkout", "--quiet", "--orphan", "again")
    repository.commit({"glossary.md": "text 0\n"}, day=date(2009, 1, 1))
    repository.git("tag", "v1.0")
    assert names(read(repository, named=("1.0",))) == ["1.0", "1.0.1", "1.0.2", "1.1.0"]
    assert names(read(repository)) == ["1.0.1", "1.0.2", "1.1.0"]


def test_a_short_tag_is_a_release_where_the_configuration_names_it(repository: Repository) -> None:
    """An alias that `tags` or a [[release]] table names is read, and so are short tags without
    fuller ones."""
    states(repository, "v1.0.0", "v1", "v2")
    assert names(read(repository)) == ["1.0.0", "2"]
    assert names(read(repository, tags=("v?.0.0", "v1"))) == ["1.0.0", "1"]
    assert names(read(repository, tags=("v?",))) == ["1", "2"]
    assert "1" in names(read(repository, named=("1",)))


def test_without_tags_the_history_is_by_date(repository: Repository) -> None:
    """Each day on which the glossary changed is a release named by its date."""
    for number, text in ((1, "one\n"), (2, "two\n")):
        repository.commit({"glossary.md": text}, day=date(2021, number, 3))
        repository.commit({"code": text}, day=date(2021, number, 4))
    gathered = read(repository, by="auto")
    assert names(gathered) == ["2021-01-03", "2021-02-03"]
    assert [document.text for document in gathered.documents] == ["one\n", "two\n"]
    assert not any(release.unreleased for release in gathered.releases)


def test_the_published_period_is_kept(repository: Repository) -> None:
    """With `by = "auto"`, the period of the published states stays, however many days there are."""
    for number in (1, 2):
        repository.commit({"glossary.md": f"{number}\n"}, day=date(2021, number, 3))
    assert names(read(repository, by="auto", published=("2020-11", "2020-12"))) == [
        "2021-01",
        "2021-02",
    ]
    assert names(read(repository, by="day", published=("2020-11",)))[0] == "2021-01-03"


def test_the_dated_states_up_to_the_first_tag_stay_releases(repository: Repository) -> None:
    """With `by` and `tags`, tags follow the dated states, one on a branch too; later days are no
    states."""
    for day in (1, 3, 5):
        repository.commit({"glossary.md": f"{day}\n"}, day=date(2021, 1, day))
    before = read(repository, by="day")
    repository.git("checkout", "--quiet", "-b", "release", "main~1")
    repository.commit({"code": "fixed"}, day=date(2021, 1, 6))
    repository.git("tag", "v1.0")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"glossary.md": "7\n"}, day=date(2021, 1, 7))
    (problem,) = read(repository, by="day").problems
    assert 'add tags = ["v[0-9]*"] beside `by`' in problem.wanted
    assert (
        read(repository, by="day", tags=("v*",), exclude=("v1.0",)).releases
        == read(repository, by="day").releases
    )
    repository.git("tag", "v1.1")
    repository.commit({"glossary.md": "8\n"}, day=date(2021, 1, 8))
    repository.git("tag", "v1.2")
    gathered = read(repository, by="day", tags=("v*",))
    assert names(gathered) == ["2021-01-01", "2021-01-03", "2021-01-05", "1.0", "1.1", "1.2"]
    assert gathered.releases[:3] == before.releases


def test_tags_before_the_glossary_are_no_releases_after_its_dated_states(
    repository: Repository,
) -> None:
    """With `by` and `tags`, the tags begin with the first that has the glossary."""
    repository.commit({"code": "new"}, day=date(2021, 1, 1))
    repository.git("tag", "v0.1")
    repository.commit({"glossary.md": "one\n"}, day=date(2021, 1, 3))
    repository.commit({"glossary.md": "two\n"}, day=date(2021, 1, 5))
    repository.git("tag", "v0.2")
    gathered = read(repository, by="day", tags=("v*",))
    assert names(gathered) == ["2021-01-03", "2021-01-05", "0.2"]
    assert gathered.problems == ()


@pytest.mark.parametrize(
    ("by", "releases"),
    [
        ("day", "2021-01-31 2021-02-01 2021-02-28 2021-12-31"),
        ("month", "2021-01 2021-02 2021-12"),
        ("year", "2021"),
    ],
)
def test_states_are_joined_by_period(repository: Repository, by: str, releases: str) -> None:
    """A period has the state of its last commit."""
    for month, day in ((1, 31), (2, 1), (2, 28), (12, 31)):
        repository.commit({"glossary.md": f"{month}-{day}\n"}, day=date(2021, month, day))
    gathered = read(repository, by=by)
    assert names(gathered) == releases.split()
    assert gathered.documents[-1].text == "12-31\n"


def test_a_commit_of_an_earlier_day_belongs_to_the_state_before_it(repository: Repository) -> None:
    """A commit with an earlier date than the one before it changes no state of an earlier day."""
    for day, text in ((1, "one\n"), (3, "three\n"), (1, "late\n")):
        repository.commit({"glossary.md": text}, day=date(2021, 1, day))
    gathered = read(repository, by="day")
    assert names(gathered) == ["2021-01-01", "2021-01-03"]
    assert [document.text for document in gathered.documents] == ["one\n", "late\n"]


def test_more_than_sixty_states_are_joined(repository: Repository) -> None:
    """By default, the shortest period that gives at most sixty states is used."""
    for number in range(70):
        repository.commit(
            {"glossary.md": f"{number}\n"}, day=date(2021, 1 + number // 28, 1 + number % 28)
        )
    assert names(read(repository, by="auto"))[:2] == ["2021-01", "2021-02"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a=Jig:1 b=Saw:2", "a=Jig:*1* b=Saw:2", True),
        ("a=Jig:1 b=Saw:2", "a=Jig:9 b=Saw:2", False),
        ("a=Jig:1", "a=Jig:1 b=Saw:2", False),
        ("a=Jig:1 b=Saw:2", "c=Jig:1 b=Saw:2", True),
        ("a=Jig:1 b=Saw:2", "a=Jig:1", False),
        ("a=Jig:1 b=.", "a=Jig:1 b=,", True),
        ("b=.", "b=,", False),
    ],
)
def test_states_with_the_same_words_are_one(
    repository: Repository, one: str, other: str, same: bool
) -> None:
    """A day on which markup or files changed, but no words, is no state; one without any terms
    is."""
    states = [dict(file.split("=") for file in state.split()) for state in (one, other)]
    for day, state in enumerate(states, 1):
        texts = {
            f"{name}.md": "# Glossary\n\n## {}\n\nWord {}\n".format(*text.split(":"))
            if ":" in text
            else text
            for name, text in state.items()
        }
        gone = {f"{name}.md": None for name in {*states[0]} - {*state}} if day == 2 else {}
        repository.commit({**texts, **gone}, day=date(2021, 1, day))
    assert len(names(read(repository, paths=("*.md",), by="day"))) == (1 if same else 2)


def test_branches_are_releases(repository: Repository) -> None:
    """Each matching branch is a release, in version order; the branch `head` comes last."""
    repository.commit({"glossary.md": "one\n"})
    repository.git("branch", "release-1.9")
    repository.commit({"glossary.md": "two\n"})
    repository.git("branch", "release-1.10")
    repository.commit({"glossary.md": "three\n"})
    gathered = read(repository, branches=("release-*",), head="main")
    assert names(gathered) == ["1.9", "1.10", "main"]
    assert [release.unreleased for release in gathered.releases] == [False, False, True]


def test_branch_that_is_missing_or_a_tag_is_a_problem(repository: Repository) -> None:
    """A pattern without a branch, and a branch that is called like a release, are one line each."""
    states(repository, "v1.0")
    repository.git("branch", "1.0")
    (missing,) = read(repository, branches=("release-*",)).problems
    assert str(missing).endswith("no branch matches release-*; the repository has 1.0, main")
    gathered = read(repository, head="1.0")
    (problem,) = gathered.problems
    assert problem.found == "the branch '1.0' has the name of the release 'v1.0'"
    assert names(gathered) == ["1.0"]
    repository.git("tag", "main")
    (problem,) = read(repository, head="main", tags=("main",)).problems
    assert problem.found == "'main' is a tag and a branch"
    repository.git("checkout", "--quiet", "--detach")
    repository.git("branch", "--delete", "--force", "main", "1.0")
    (missing,) = read(repository, branches=("release-*",)).problems
    assert str(missing).endswith("the repository has none")


def test_folders_are_releases(repository: Repository) -> None:
    """Each folder of a version is a release, the files outside come next, and a copy of the newest
    is none."""
    repository.commit(
        {
            "versions/version-1.9/glossary.md": "one\n",
            "versions/version-1.10/glossary.md": "two\n",
            "versions/version-1.11/other.md": "none\n",
            "versions/version-latest/glossary.md": "two\n",
            "docs/glossary.md": "three\n",
        }
    )
    gathered = read(
        repository, versions="versions/version-{version}/glossary.md", paths=("docs/glossary.md",)
    )
    assert names(gathered) == ["1.9", "1.10", "main"]
    assert [document.text for document in gathered.documents] == ["one\n", "two\n", "three\n"]
    (missing,) = read(repository, versions="docs/{version}/words.md", paths=()).problems
    assert str(missing).endswith("no folder matches docs/{version}/words.md; correct `versions`")


def test_aliases_of_folders_are_no_releases(repository: Repository) -> None:
    """Of the folders that mike writes to a branch, `latest` is no release, and `dev` is
    unreleased."""
    repository.commit(
        {f"{name}/glossary/index.html": f"{name}\n" for name in ("1.0", "1.1", "dev", "latest")}
    )
    repository.git("branch", "gh-pages")
    gathered = read(repository, versions="{version}/glossary/index.html", paths=(), head="gh-pages")
    assert [(one.name, one.unreleased) for one in gathered.releases] == [
        ("1.0", False),
        ("1.1", False),
        ("dev", True),
    ]
