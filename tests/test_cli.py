"""The command line: output, streams and exit statuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Command, CommandResult
from glossary_folder import everything

from sitegen import __version__

GOOD = "# Glossary\n\n## ATen\n\nA tensor library.\n\n## Kernel\n\nWhat runs on a device.\n"
BETTER = GOOD.replace("A tensor library", "The tensor library of PyTorch")


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Command:
    """Runs the command in a fresh folder that holds a glossary of two releases, `words`."""
    for release, text in {"1.0": GOOD, "1.1": BETTER}.items():
        (tmp_path / "words" / release).mkdir(parents=True)
        (tmp_path / "words" / release / "GLOSSARY.md").write_text(text)
    return command


def break_reference(folder: Path) -> None:
    """Adds an unreadable file to the newest release."""
    (folder / "words/1.1/odd.md").write_text("")


def test_build_sums_up(run: Command, tmp_path: Path) -> None:
    """A successful build prints one line of summary."""
    result = run("build", "words")
    assert re.fullmatch(
        r"site: 2 terms, 2 releases, 1 change, 0 problems, \d+ files in \d+\.\d s\nnote: no "
        r"feeds .*\n",
        result.out,
    ), result.out
    assert (result.status, result.err) == (0, "")
    assert (tmp_path / "site/term/aten/index.html").is_file()


def test_content_is_the_default_folder(run: Command, tmp_path: Path) -> None:
    """Without a folder, `content` is built where it has a site.toml."""
    (tmp_path / "words").rename(tmp_path / "content")
    (tmp_path / "content/site.toml").write_text('[site]\ntitle = "Our words"\n')
    assert run("build").status == 0
    assert "Our words" in (tmp_path / "site/index.html").read_text()


def test_current_folder_is_built_next_to_its_own_site(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run among the release folders, a build does not take its own site for a release."""
    monkeypatch.chdir(tmp_path / "words")
    first = run("build")
    (tmp_path / "words/.site.new-0123abcd").mkdir(parents=True)
    (tmp_path / "words/.site.new-0123abcd/GLOSSARY.md").write_text(GOOD)
    assert "2 terms, 2 releases, 1 change, 0 problems" in first.out
    assert run("build").out.partition(" files")[0] == first.out.partition(" files")[0]


def test_folder_with_a_file_is_built_next_to_its_own_site(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with one glossary and no releases can be built again, beside the site of the
    first build."""
    folder = tmp_path / "alone"
    folder.mkdir()
    (folder / "GLOSSARY.md").write_text(GOOD)
    monkeypatch.chdir(folder)
    first = run("build")
    assert "2 terms, 0 releases" in first.out
    assert run("build").out.partition(" files")[0] == first.out.partition(" files")[0]


def test_output_names_the_folder(run: Command, tmp_path: Path) -> None:
    """`--output` sets the site's folder."""
    assert run("build", "words", "--output", "public/glossary").out.startswith(
        "public/glossary: 2 terms"
    )
    assert (tmp_path / "public/glossary/index.html").is_file()


def test_problem_is_told_and_the_site_is_built(run: Command, tmp_path: Path) -> None:
    """A problem is printed to standard error with its place; without --strict the status is 0."""
    break_reference(tmp_path)
    result = run("build", "words")
    assert (result.status, ", 1 problem, " in result.out) == (0, True)
    assert result.err.startswith("words/1.1/odd.md: ")
    assert result.err.count("\n") == 1


def test_strict_leaves_with_1_and_builds(run: Command, tmp_path: Path) -> None:
    """With --strict problems give status 1, and the site is built; without problems it is 0."""
    assert run("build", "words", "--strict").status == 0
    break_reference(tmp_path)
    assert run("build", "words", "--strict", "-o", "other").status == 1
    assert (tmp_path / "other/index.html").is_file()


def test_quiet_says_only_problems(run: Command, tmp_path: Path) -> None:
    """With --quiet a good build prints nothing; problems are still printed."""
    assert run("build", "words", "--quiet") == CommandResult(status=0, out="", err="")
    break_reference(tmp_path)
    result = run("build", "words", "--quiet")
    assert (result.out, result.err.count("\n")) == ("", 1)


def test_json_is_one_object(run: Command, tmp_path: Path) -> None:
    """`--json` gives counts, seconds and problems as one object on standard output."""
    break_reference(tmp_path)
    data = json.loads(run("build", "words", "--json").out)
    assert (data["terms"], data["releases"], data["changes"], data["output"]) == (2, 2, 1, "site")
    assert data["files"] > 5
    assert data["seconds"] > 0
    assert data["problems"][0].keys() == {"path", "line", "found", "wanted", "kind", "terms"}


@pytest.mark.parametrize(
    ("prepare", "arguments", "reported"),
    [
        (None, ["nowhere"], r"nowhere: no such folder; .*"),
        ("touch a.md", ["a.md"], r"a\.md: a file; name the folder that it is in"),
        ("touch site.toml", ["site.toml"], r"site\.toml: a file; name the folder that it is in"),
        (
            "touch words-1.0.zip",
            ["words-1.0.zip"],
            r"words-1\.0\.zip: this is an archive, which is not read; .*",
        ),
        ("mkdir empty", ["empty"], r"empty.*"),
        (
            "mkdir mine; echo x > mine/thesis.tex",
            ["words", "-o", "mine"],
            r"mine: the last build did not write these files.*thesis\.tex.*",
        ),
        (
            "echo '[sit]' > words/site.toml",
            ["words"],
            r"words/site\.toml:1: unknown key 'sit'; .*'site'.*",
        ),
        ("echo 'x =' > words/site.toml", ["words"], r"words/site\.toml:1: .*"),
    ],
    ids=[
        "no folder",
        "file",
        "settings",
        "archive",
        "empty folder",
        "not ours to replace",
        "unknown key",
        "not TOML",
    ],
)
def test_mistake_is_told_without_traceback(
    run: Command, tmp_path: Path, prepare: str | None, arguments: list[str], reported: str
) -> None:
    """Mistakes in the configuration are one line each with their place, and the status is 2."""
    if prepare:
        subprocess.run(prepare, shell=True, cwd=tmp_path, check=True)
    result = run("build", *arguments)
    assert (result.status, result.out) == (2, "")
    assert re.fullmatch(reported, result.err.splitlines()[-1]), result.err
    assert "Traceback" not in result.err
    assert not (tmp_path / "site").exists()


def test_site_stands_when_a_build_fails(run: Command, tmp_path: Path) -> None:
    """A failed build leaves the old site."""
    run("build", "words")
    before = (tmp_path / "site/index.html").read_bytes()
    (tmp_path / "words/site.toml").write_text("[sit]")
    assert run("build", "words").status == 2
    assert (tmp_path / "site/index.html").read_bytes() == before


def test_serve_needs_a_folder(run: Command) -> None:
    """Serving a missing folder fails with one line and status 2."""
    assert run("serve", "nowhere") == CommandResult(
        status=2, out="", err="nowhere: no such folder; name one that holds glossaries\n"
    )


def test_a_link_in_a_circle_is_not_followed(run: Command, tmp_path: Path) -> None:
    """Beside folders of releases, without a site.toml, it is reported as other links are."""
    (tmp_path / "words/loop").symlink_to("loop")
    result = run("build", "words")
    assert (result.status, "words/loop: a symbolic link" in result.err) == (0, True), result.err


@pytest.mark.parametrize("word", ["build", "check", "serve", "link x"])
def test_an_empty_folder_is_one_line(run: Command, tmp_path: Path, word: str) -> None:
    """A folder without files is answered with what makes a glossary, and with nothing else."""
    name, *more = word.split()
    (tmp_path / "empty").mkdir()
    place = ["--glossary", "empty"] if more else ["empty"]
    result = run(name, *more, *place)
    assert result == CommandResult(
        status=2,
        out="",
        err="empty: no site.toml here, and no folder is named after a release; run `sitegen init` "
        "at the top of the project's git repository\n",
    )


def test_a_build_without_terms_says_what_to_do_once(run: Command, tmp_path: Path) -> None:
    """Where a problem says why there are no terms, there is no other line."""
    (tmp_path / "words/site.toml").write_text('[[source]]\nid = "a"\nfolder = "wrods"\n')
    assert run("build", "words") == CommandResult(
        status=2, out="", err="words/wrods: missing; name one that exists\n"
    )


def test_unknown_command_is_status_2(run: Command) -> None:
    """An unknown command is answered with the nearest one."""
    result = run("bild")
    assert result.status == 2
    assert "build" in result.err


def test_version_and_help(run: Command) -> None:
    """`--version` prints the version, `--help` the commands, both with status 0."""
    assert run("--version") == CommandResult(status=0, out=f"sitegen {__version__}\n", err="")
    result = run("--help")
    assert result.status == 0
    assert {"build", "serve"} <= set(result.out.split())


def test_interrupted_is_130(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C ends the command with status 130 and no traceback."""

    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sitegen.commands.building.build_site", interrupt)
    result = run("build", "words")
    assert result.status == 130
    assert "Traceback" not in result.err


def test_address_in_place_of_a_folder(run: Command) -> None:
    """An address that is given as FOLDER is refused with the option that takes it, and without its
    password."""
    for command in ("build", "publish"):
        result = run(command, "https://ada:secret@example.org/words.git")
        assert (result.status, result.out) == (2, "")
        assert result.err == (
            "https://example.org/words.git: an address, and FOLDER is a folder; clone it, or build "
            "it with --git\n"
        )


def test_what_has_nothing_to_do_loads_little() -> None:
    """The list of commands imports nothing that a command needs."""
    program = "import sys, sitegen.commands.main; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    heavy = {
        "jinja2",
        "docutils",
        "lxml",
        "nh3",
        "rapidfuzz",
        "lunr",
        "rich",
        "watchdog",
        "urllib.request",
        "ssl",
    }
    heavy |= {"pydantic", "pydantic_core", "sqlite3", "multiprocessing"}
    assert set(loaded.split()).isdisjoint(heavy)


def test_parsers_are_loaded_for_what_takes_them(run: Command, tmp_path: Path) -> None:
    """Building a glossary in Markdown imports no parser of other markup."""
    program = (
        "import sys; from sitegen.commands.main import run; status = run(); "
        "print(*sorted(sys.modules)); exit(status)"
    )
    command = [sys.executable, "-c", program, "build", "words"]
    loaded = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert set(loaded.split()).isdisjoint({"docutils", "yaml"})


def test_closed_pipe_is_no_error(run: Command, tmp_path: Path) -> None:
    """When the reader of the output closes the pipe, there is no error message, and the site is
    built."""
    command = f"{sys.executable} -m sitegen build words --json; echo $? > status"
    shell = subprocess.Popen(
        ["sh", "-c", command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert shell.stdout is not None
    assert shell.stderr is not None
    shell.stdout.close()
    assert shell.stderr.read() == b""
    shell.wait()
    assert (tmp_path / "status").read_text() == "0\n"
    assert (tmp_path / "site/index.html").is_file()


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no disk that is always full"
)
@pytest.mark.parametrize("asked", ["--help", "build words --json"])
def test_full_disk_takes_no_output(run: Command, tmp_path: Path, asked: str) -> None:
    """If standard output cannot be written, one line says so; the status is 0 only if a site was
    built."""
    command = [sys.executable, "-m", "sitegen", *asked.split()]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (
        result.stderr
        == "standard output: the result could not be written: No space left on device\n"
    )
    assert result.returncode == (0 if asked.startswith("build") else 2)


@pytest.mark.parametrize("start", [["-m", "sitegen"], [Path(sys.executable).with_name("sitegen")]])
def test_names_of_files_are_utf8_in_any_locale(
    command: Command, tmp_path: Path, start: list[str | Path]
) -> None:
    """In the locale C without UTF-8 mode, a name in Japanese has the same page as elsewhere."""
    (tmp_path / "用語").mkdir()
    (tmp_path / "用語/GLOSSARY.md").write_text(
        "# Glossary\n\n## 用語\n\nA word.\n\n## Ä\n\nA letter.\n", "utf-8"
    )
    world = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    arguments = ["build", "用語", "--no-ledger", "-o"]
    result = subprocess.run(
        [sys.executable, *start, *arguments, "one"],
        env=world | {"LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert command(*arguments, "other").status == 0
    assert (tmp_path / "one/term/用語/index.html").is_file()
    assert [*everything(tmp_path / "one").values()] == [*everything(tmp_path / "other").values()]


def test_process_without_output_builds(run: Command, tmp_path: Path) -> None:
    """A process without standard output builds the site."""
    command = f"exec {sys.executable} -m sitegen build words >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False).returncode == 0
    assert (tmp_path / "site" / "index.html").is_file()
