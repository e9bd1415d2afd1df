"""`sitegen init`: from a repository without a site.toml to a site, without an edit in between."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from commands import Command
from repositories import SIXTY_CHANGES, Repository, sixty_releases

from sitegen.sources.discovery.searched_repository import FoundGlossary
from sitegen.tools.installation import installation
from sitegen.tools.proposed_sources import named_sources

ONE = (
    "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n\n## Tensor\n\nA grid of "
    "numbers.\n"
)
OTHER = (
    "# Terms\n\n## Ape\n\nHas no tail.\n\n## Bear\n\nLikes honey.\n\n## Cat\n\nPurrs.\n\n## "
    "Dog\n\nBarks.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    """An empty repository, `project`."""
    return Repository(tmp_path / "project")


@pytest.fixture
def init(command: Command, project: Repository, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command in the repository."""
    monkeypatch.chdir(project.path)
    return command


def written() -> dict[str, Any]:
    return tomllib.loads(Path("site.toml").read_text(encoding="utf-8"))


def changes(site: str = "site") -> list[tuple[str, str, str, str]]:
    """Returns (term, kind, release, file) of every change."""
    data = json.loads(Path(site, "glossary.json").read_text(encoding="utf-8"))
    return [
        (term["name"], one["kind"], one["release"], one["citation"]["path"])
        for term in data["terms"]
        for one in term["history"]
    ]


def test_from_a_clone_to_a_site(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clone with tags, `sitegen init` and `sitegen build` give a correct site."""
    project = Repository(tmp_path / "project")
    sixty_releases(project)
    project.git("clone", "--quiet", str(project.path), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    result = command("init")
    assert result.status == 0
    assert [line for line in result.out.splitlines() if "something else" not in line] == [
        "site.toml:",
        "  docs/source/glossary.rst (before that docs/glossary.md, GLOSSARY.md): 4 terms, 60 "
        "releases, 0.0 to 5.9",
        ".gitignore: ignores /site/, the built site",
        ".github/workflows/glossary.yml: builds the site on every push, and puts it on GitHub "
        "Pages",
        f"  {installation().note}",
        "Next:",
        "  set base_url in site.toml, if you know the address of the site",
        "  sitegen serve --open   shows the site here; nothing is promised yet",
        "  sitegen check   says what to mend first, such as terms that may be renamed",
        "  on GitHub: Settings, Pages, Source: choose GitHub Actions",
        "  commit what is new, and push: that publishes, and from then on its addresses and words "
        "are kept",
    ]
    assert command("build").status == 0
    assert command("build", "--locked").status == 0
    assert changes() == list(SIXTY_CHANGES)
    assert "<title>project</title>" in Path("site/index.html").read_text(encoding="utf-8")


def test_what_is_proposed(init: Command, project: Repository) -> None:
    """Site and source have the names of the repository, and the glossary's paths are newest first."""
    project.git("remote", "add", "origin", "https://github.com/example/Words.git")
    project.release("v1.0", ONE)
    project.commit({"GLOSSARY.md": None, "docs/glossary.md": ONE})
    project.git("tag", "v1.1")
    assert init("init").status == 0
    assert written() == {
        "site": {
            "title": "Words",
            "base_url": "https://example.github.io/Words/",
            "repository": "https://github.com/example/Words",
        },
        "source": [
            {
                "id": "words",
                "title": "Words",
                "git": ".",
                "paths": ["docs/glossary.md", "GLOSSARY.md"],
            }
        ],
    }


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("mkdocs.yml", "site_name: 'Wood: & more'  # its name\n", "Wood: & more"),
        ("mkdocs.yml", "site_name: !ENV [NAME, Wood]\n", "project"),
        ("mkdocs.yml", "site_name: Documentation\n", "project"),
        ("docs/conf.py", 'import os\nproject = u"Wood"\n', "Wood"),
        ("docs/conf.py", "project = name\n", "project"),
        ("website/docusaurus.config.ts", "const config = {\n  title: 'Wood',\n", "Wood"),
        ("config.toml", 'baseURL = "https://wood.example/"\ntitle = "Wood"\n', "Wood"),
        ("config.toml", 'title = "Ada\'s C# words" # of Ada\n', "Ada's C# words"),
        ("hugo.yaml", "title: Wood\nparams:\n  title: Steel\n", "Wood"),
    ],
)
def test_the_title_is_that_of_the_documentation(
    init: Command, project: Repository, path: str, text: str, title: str
) -> None:
    """The title of the documentation is the site's; the id of the source is the repository's."""
    project.commit({path: text, "GLOSSARY.md": ONE})
    assert init("init").status == 0
    assert written()["site"]["title"] == title
    assert [(source["id"], source["title"]) for source in written()["source"]] == [
        ("project", title)
    ]


def test_the_last_release_of_a_deleted_glossary_is_found_among_many(
    init: Command, project: Repository
) -> None:
    """A deleted glossary is made a site only by its path; `init` says so, and names the last
    release that has it."""
    project.commit({"glossary.md": ONE})
    for number in range(60):
        if number == 20:
            project.commit({"glossary.md": None, "README.md": "No words.\n"})
        project.git("commit", "--quiet", "--allow-empty", "--message", f"{number}")
        project.git("tag", f"v1.{number}")
    assert "--path names another one, also one that only older releases have" in init("init").err
    assert "it was last there in v1.19\n" in init("init", "--path", "glossary.md").out


def test_titles_of_sources_differ() -> None:
    """A title names the folder if another source is called so, and the file if both are in one."""
    paths = ("terms.md", "docs/terms.md", "docs/terms.csv", "docs/shop-words.md")
    glossaries = [
        FoundGlossary(paths=(path,), entries=3, last_release="1.0", is_current=True)
        for path in paths
    ]
    titles = [source.title for source in named_sources(glossaries, "shop", "Shop")]
    assert titles == ["Terms", "Terms (docs)", "docs/terms.csv", "Shop words"]


def test_several_glossaries_are_several_sources(init: Command, project: Repository) -> None:
    """Each glossary is a source named like its file; a deleted one is left out."""
    project.commit({"old-glossary.md": ONE, "en/glossary.md": ONE.replace("Tensor", "Grid")})
    project.git("tag", "v1.0")
    project.commit({"old-glossary.md": None, "animals/terms.md": OTHER})
    project.git("tag", "v1.1")
    result = init("init")
    assert [(source["id"], source["title"]) for source in written()["source"]] == [
        ("animals-terms", "Terms"),
        ("en-glossary", "Glossary"),
    ]
    assert "  animals/terms.md: 4 terms, 1 release, 1.1" in result.out
    assert "  en/glossary.md: 3 terms, 2 releases, 1.0 to 1.1" in result.out
    assert "old-glossary.md" not in result.out
    assert init("build", "--strict").status == 0


def test_a_glossary_that_no_release_has_is_read_from_its_branch(
    init: Command, project: Repository
) -> None:
    """A glossary newer than the last tag is read from the branch; without tags it has a history by
    date."""
    project.commit({"GLOSSARY.md": ONE})
    assert "GLOSSARY.md: 3 terms, 1 dated state, 2020-01-01" in init("init").out
    assert written()["source"][0]["by"] == "day"
    Path("site.toml").unlink()
    project.commit({"GLOSSARY.md": None})
    project.git("tag", "v1.0")
    project.commit({"GLOSSARY.md": ONE})
    init("init")
    assert written()["source"][0]["head"] == "main"
    assert init("build", "--strict").status == 0


def test_a_dry_run_shows_and_writes_nothing(init: Command, project: Repository) -> None:
    """With --dry-run the file that would be written is on standard output, and nowhere else."""
    project.release("v1.0", ONE)
    result = init("init", "-n")
    assert (result.status, result.err) == (0, "")
    assert tomllib.loads(result.out)["source"][0]["paths"] == ["GLOSSARY.md"]
    assert not Path("site.toml").exists()
    init("init")
    assert Path("site.toml").read_text(encoding="utf-8") == result.out


@pytest.mark.parametrize("place", ["site.toml", "content/site.toml"])
def test_nothing_is_overwritten(init: Command, project: Repository, place: str) -> None:
    """An existing site.toml, or one that would be built instead of it, is kept, and the message
    says so."""
    project.release("v1.0", ONE)
    Path(place).parent.mkdir(exist_ok=True)
    Path(place).write_text("# mine\n")
    result = init("init")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"{place}: is there already, and ")
    assert Path(place).read_text() == "# mine\n"


def test_no_link_is_followed(init: Command, project: Repository, tmp_path: Path) -> None:
    """A link in place of site.toml is not written through, even if its target does not exist."""
    project.release("v1.0", ONE)
    Path("site.toml").symlink_to(tmp_path / "elsewhere")
    assert init("init").status == 2
    assert not (tmp_path / "elsewhere").exists()


def test_settings_of_other_tools_may_be_links_or_large(
    init: Command, project: Repository, tmp_path: Path
) -> None:
    """They only tell where a site is published. A link may lead out of the repository, so it is
    not read."""
    project.release("v1.0", ONE)
    (tmp_path / "conf.py").write_text("project = 'Other'\n")
    Path("docs").mkdir()
    Path("docs/conf.py").symlink_to(tmp_path / "conf.py")
    Path("mkdocs.yml").write_text("#" * 300_000)
    assert init("init").status == 0
    assert "Other" not in Path("site.toml").read_text()


def test_a_partial_clone_is_not_taken_for_one_without_releases(
    command: Command, project: Repository, tmp_path: Path
) -> None:
    """Its tags cannot be read, so a site.toml for what can be read would be wrong for good."""
    project.release("v1.0", ONE)
    project.release("v2.0", f"{ONE}\n## Loop\n\nGoes round.\n")
    project.git("config", "uploadpack.allowFilter", "true")
    address = f"file://{project.path}"
    project.git("clone", "--quiet", "--filter=blob:none", address, str(tmp_path / "partial"))
    result = command("init", "partial")
    assert result.status == 2
    assert result.err == (
        ".: cannot be read: a partial clone lacks files of releases; "
        "`git fetch --refetch --no-filter --tags` brings them\n"
    )
    assert not (tmp_path / "partial/site.toml").exists()


def test_a_repository_may_be_named(command: Command, project: Repository, tmp_path: Path) -> None:
    """The repository can be given as a folder, where the file is written."""
    project.release("v1.0", ONE)
    result = command("init", "project")
    assert result.out.startswith("project/site.toml:\n")
    assert "\n  sitegen serve --open project   " in result.out
    assert "project/.github/workflows/glossary.yml: builds" in result.out
    assert command("build", "project", "--strict").status == 0


def test_where_there_is_nothing_to_find(
    command: Command, project: Repository, tmp_path: Path
) -> None:
    """A folder without a repository, or a repository without a glossary, is one line and status
    2."""
    (tmp_path / "empty").mkdir()
    result = command("init", "empty")
    assert result.status == 2
    assert (
        result.err
        == "empty: no git repository here; name the folder of one, or make one with `git init`\n"
    )
    project.commit({"README.md": "Nothing.\n"})
    result = command("init", "project")
    assert result.status == 2
    assert result.err.startswith("project: no glossary was found in this repository; ")


def test_hostile_names_are_read_as_names(init: Command, project: Repository) -> None:
    """A path with special characters of patterns and TOML is escaped correctly."""
    project.commit({'docs/a "b" [1]*/glossary.md': ONE})
    project.git("tag", "v1.0")
    assert init("init").status == 0
    assert init("build", "--strict").status == 0
    assert len(changes()) == 3


def test_a_folder_called_site_is_left_alone(init: Command, project: Repository) -> None:
    """If the project has its own folder `site`, every command writes the site elsewhere."""
    project.commit({"site/glossary.md": ONE})
    project.git("tag", "v1.0")
    assert "the site is written to glossary-site" in init("init").out
    assert init("build").status == 0
    assert Path("glossary-site/index.html").exists()
    assert not Path("site/index.html").exists()


def test_a_branch_much_newer_than_the_last_release_is_read(
    init: Command, project: Repository
) -> None:
    """If the branch is much newer than the last tag, it is read too, and init says so."""
    project.release("v1.0", ONE, day=date(2020, 1, 1))
    project.commit({"GLOSSARY.md": ONE + "\n## Zone\n\nA part.\n"}, day=date(2023, 1, 1))
    assert (
        "the newest release, 1.0, is of 2020-01-01; main is read for 1 change since then"
        in init("init").out
    )
    assert written()["source"][0]["head"] == "main"


def test_a_branch_with_translations_much_newer_than_the_last_release_is_read(
    init: Command, project: Repository
) -> None:
    """Translations are often younger than the last tag: without the branch, the site would have
    none."""
    project.release("v1.0", ONE, day=date(2020, 1, 1))
    french = ONE.replace("# Glossary", "# Glossaire")
    project.commit({"GLOSSARY.fr.md": french}, day=date(2023, 1, 1))
    assert "main is read for 1 change since then" in init("init").out
    assert (written()["source"][0]["head"], written()["translation"][0]["language"]) == (
        "main",
        "fr",
    )


def test_a_build_names_maintenance_releases_that_it_does_not_read(
    init: Command, project: Repository
) -> None:
    """A build names the tags of an older line that are not read, and what would read them."""
    for number, tag in enumerate(("v1.0", "v2.0.0", "v3.0"), start=1):
        project.release(tag, ONE.replace("A loop", f"Loop {number}"), day=date(2020, number, 1))
    project.git("checkout", "--quiet", "-b", "release-2.0", "v2.0.0")
    project.release("v2.0.1", ONE.replace("A loop", "Loop 2, mended"), day=date(2020, 4, 1))
    project.git("checkout", "--quiet", "main")
    assert init("init").status == 0
    note = init("build").out
    assert (
        "1 tag (v2.0.1) not read: of an older line" in note
        and "a [[source]] with `tags` of their own reads such a line" in note
    )
    assert {release for _, _, release, _ in changes()} == {"1.0", "2.0.0", "3.0"}


def test_contexts_are_sources_with_terms_of_their_own(init: Command, project: Repository) -> None:
    """Two CONTEXT.md that share a name are two sources, named by their paths; their terms lead to
    each other."""
    for name, other in (("ordering", "Order"), ("billing", "Invoice")):
        text = (
            f"# {name}\n\n**Account**: Something in {name}. _Avoid_: user\n\n**{other}**: A "
            f"request.\n"
        )
        project.commit({f"src/{name}/CONTEXT.md": text})
    project.git("tag", "v1.0")
    assert init("init").status == 0
    assert [source["id"] for source in written()["source"]] == [
        "src-billing-context",
        "src-ordering-context",
    ]
    titles = [source["title"] for source in written()["source"]]
    assert titles == ["Context (src/billing)", "Context (src/ordering)"]
    assert (init("build").status, written()["distinct"]) == (0, [{"names": ["Account"]}])
    pages = [Path("site/term", slug, "index.html").read_text() for slug in ("account", "account-2")]
    assert (
        'term/account-2/index.html">Account<' in pages[0]
        and 'term/account/index.html">Account<' in pages[1]
    )


def test_a_name_of_three_contexts_is_distinct_once(init: Command, project: Repository) -> None:
    """A name that three contexts define has one [[distinct]] table."""
    for name in ("ordering", "billing", "shipping"):
        text = f"# {name}\n\n**Account**: One of {name}. _Avoid_: user\n\n**{name}**: It.\n"
        project.commit({f"src/{name}/CONTEXT.md": text})
    assert init("init").status == 0
    assert written()["distinct"] == [{"names": ["Account"]}]


def test_a_repository_without_a_site_toml_is_read_as_init_proposes(
    init: Command, project: Repository
) -> None:
    """`build` without a site.toml reads what `init` would propose, and says so."""
    project.commit({"docs/glossary.md": ONE, "src/code.md": "# Code\n\nText.\n"})
    project.git("tag", "v1.0")
    result = init("build", "--no-ledger", "-o", "../out")
    assert (result.status, "docs/glossary.md: 3 terms, 1 release, 1.0" in result.err) == (0, True)
    assert {release for _, _, release, _ in changes("../out")} == {"1.0"}
    project.commit({"docs/glossary.md": None})
    project.git("tag", "--delete", "v1.0")
    for command in ("build", "check", "diff", "translations", "addresses"):
        result = init(command)
        assert (command, result.status, "no glossary was found" in result.err) == (command, 2, True)


@pytest.mark.parametrize("word", ["build", "check", "translations", "addresses"])
def test_an_unpacked_archive_of_a_project_is_no_folder_of_releases(
    init: Command, project: Repository, word: str
) -> None:
    """Without a git repository and a site.toml, folders are releases only if one is named like a
    release."""
    for name in ("docs/glossary.md", "src/words.md"):
        Path(name).parent.mkdir()
        Path(name).write_text(ONE, encoding="utf-8")
    project.path.joinpath(".git").rename("../elsewhere")
    result = init(word)
    assert (
        result.status,
        "run `sitegen init` at the top of the project's git repository" in result.err,
    ) == (2, True)
    Path("src").rename("1.0")
    assert "no folder is named" not in init(word).err


def test_a_section_that_no_release_has_is_read_from_the_branch(
    init: Command, project: Repository
) -> None:
    """Tags that have the file without its section of terms are no releases of the glossary."""
    project.commit({"README.md": "# Project\n\nA text.\n"}, day=date(2026, 1, 1))
    project.git("tag", "v1.0")
    terms = "".join(f"- **{word}**: what a {word.lower()} is.\n" for word in ("Blob", "Ref", "Tag"))
    project.commit(
        {"README.md": f"# Project\n\nA text.\n\n## Glossary\n\n{terms}"}, day=date(2026, 1, 2)
    )
    assert "README.md, section “Glossary”: 3 terms, not in a release yet" in init("init").out
    assert init("build", "-o", "../out").status == 0
    assert {change[0] for change in changes("../out")} == {"Blob", "Ref", "Tag"}


@pytest.mark.parametrize("is_tagged", [True, False])
def test_releases_before_a_section_existed_are_none_of_the_glossary(
    init: Command, project: Repository, is_tagged: bool
) -> None:
    """A README that got its section of terms later is read since then, by tag or by day, without a
    problem before."""
    terms = "".join(f"- **{word}**: what a {word.lower()} is.\n" for word in ("Blob", "Ref", "Tag"))
    texts = (
        "A text.\n",
        "Another.\n",
        f"A text.\n\n## Glossary\n\n{terms}",
        f"## Glossary\n\n{terms}- **Tree**: a list.\n",
    )
    for day, text in enumerate(texts, start=1):
        project.commit({"README.md": f"# Project\n\n{text}"}, day=date(2026, 1, day))
        if is_tagged:
            project.git("tag", f"v1.{day}")
    assert init("init").status == 0
    result = init("build", "-o", "../out")
    assert "4 terms, 2 releases, 1 change, 0 problems" in result.out
    assert {change[0] for change in changes("../out")} == {"Blob", "Ref", "Tag", "Tree"}


def test_the_glossary_may_be_named(init: Command, project: Repository) -> None:
    """With --path any file that defines terms is used, with its earlier names."""
    project.commit({"help/lexis.md": ONE, "src/code.rst": "Code\n====\n\nA text.\n"})
    project.git("tag", "v1.0")
    project.git("mv", "help/lexis.md", "help/words.md")
    project.commit({})
    project.git("tag", "v1.1")
    result = init("init", "--path", "src/code.rst")
    assert (result.status, "no src/code.rst with terms in it" in result.err) == (2, True)
    assert (
        "help/words.md (before that help/lexis.md): 3 terms, 2 releases"
        in init("init", "--path", "help/words.md").out
    )
    assert written()["source"][0]["paths"] == ["help/words.md", "help/lexis.md"]


def test_a_term_may_come_and_go_within_a_period(init: Command, project: Repository) -> None:
    """A term that was published and left within one month of a history by date keeps a page, also a
    month later."""
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = "GLOSSARY.md"\nby = "month"\n'
    Path("site.toml").write_text(settings, encoding="utf-8")
    project.commit({"GLOSSARY.md": ONE}, day=date(2020, 1, 1))
    project.commit(
        {"GLOSSARY.md": f"{ONE}\n## Passing\n\nWhat leaves soon.\n"}, day=date(2020, 2, 1)
    )
    assert init("build").status == 0
    project.commit({"GLOSSARY.md": ONE}, day=date(2020, 2, 2))
    project.commit({"GLOSSARY.md": f"{ONE}\n## Later\n\nWhat comes.\n"}, day=date(2020, 3, 1))
    assert init("build").status == 0
    assert "Passing" in Path("site/term/passing/index.html").read_text(encoding="utf-8")
    later = Path("site/term/later/index.html").read_text(encoding="utf-8")
    assert "<bdi>Mar 2020</bdi>" in later and '<bdi dir="ltr">2020-' not in later


def test_tags_without_a_number_in_front_are_not_named_by_pattern(
    init: Command, project: Repository
) -> None:
    """Tags such as `draft-20230101-ff1ff9` are releases, and no pattern is written that none of
    them has."""
    for day in range(10, 26):
        text = ONE.replace("loop", f"loop {day}")
        project.release(f"draft-202301{day}-ff1ff9{day}", text, day=date(2023, 1, day))
    project.git("tag", "release-9.0", "HEAD~3")
    assert init("init").status == 0
    source = written()["source"][0]
    assert (source.get("tags"), source["exclude"]) == (None, ["release-*"])
    assert init("check").status == 0


def test_first_check_has_no_problem_with_what_init_decided(
    init: Command, project: Repository
) -> None:
    """Tags that a pattern for the releases would match, too, are left out by a pattern of their
    own, and no check or build speaks of them."""
    for number in range(12):
        project.release(f"1.{number}", ONE.replace("loop", f"loop {number}"))
    for number in range(12):
        project.git("tag", f"1.0-proof{number}", f"1.{number}")
    assert init("init").status == 0
    source = written()["source"][0]
    assert (source.get("tags"), source["exclude"]) == (None, ["*-proof*"])
    assert init("check").status == 0
    assert init("build").err == ""


def test_glossary_that_no_release_has_leaves_out_the_same_tags(
    init: Command, project: Repository
) -> None:
    """Beside a glossary with releases, one that is in none yet has no problem with other tags."""
    for number in range(3):
        project.release(f"1.{number}", ONE.replace("loop", f"loop {number}"))
    project.git("tag", "1.0-proof", "1.0")
    project.git("tag", "jig-9.0", "1.0")
    project.commit({"animals/GLOSSARY.md": OTHER})
    result = init("init")
    assert "something else" not in result.err
    assert [one.get("head") for one in written()["source"]] == ["main", None]
    assert init("check").status == 0


@pytest.mark.parametrize("tag", ["v1.{}", "draft-202301{}-ff1ff9{}"])
def test_other_tags_are_one_line(init: Command, project: Repository, tag: str) -> None:
    """The line about tags of something else is printed once for several glossaries of a
    repository."""
    project.commit({"animals/terms.md": OTHER})
    for day in range(10, 26):
        project.release(
            tag.format(day, day), ONE.replace("loop", f"loop {day}"), day=date(2023, 1, day)
        )
    project.commit({"GLOSSARY.md": ONE})
    project.git("tag", "jig-9.0")
    result = init("init")
    assert len(written()["source"]) == 2
    assert (result.out + result.err).count("something else") == 1


def test_a_glossary_in_the_only_folder_of_a_version(init: Command, project: Repository) -> None:
    """A lone folder that is named like a version is not taken for one of several; what is proposed
    can be built."""
    project.commit({"1.0/GLOSSARY.md": ONE})
    assert init("init").status == 0
    assert "versions" not in written()["source"][0]
    assert init("build", "-q").status == 0


def test_folders_of_versions_without_terms_are_no_releases(
    init: Command, project: Repository
) -> None:
    """Pages in folders of versions may only show a text that is elsewhere."""
    for version in ("1.0", "1.1", "1.2"):
        project.commit({f"content/{version}/glossary.md": '{{< reuse "glossary.md" >}}\n'})
    project.commit({"assets/glossary.md": ONE})
    assert init("init").status == 0
    assert "versions" not in written()["source"][0]


def test_the_language_of_the_terms_is_that_of_the_site(project: Repository, init: Command) -> None:
    """A language without an interface, or an unknown one, is not proposed."""
    german = (
        "# Glossar\n\n## Baum\n\nEine Liste von Dateien, die nicht der Inhalt der Dateien ist.\n\n"
    )
    more = (
        "## Zweig\n\nDer Name von dem Stand, auf den der Zweig zeigt.\n\n## Marke\n\nEin Name "
        "für den Stand.\n"
    )
    project.commit({"glossar.md": german + more})
    assert init("init", "--host", "none").status == 0
    assert written()["site"]["language"] == "de"
    assert init("build").status == 0
    assert '<html lang="de"' in Path("site/index.html").read_text(encoding="utf-8")
