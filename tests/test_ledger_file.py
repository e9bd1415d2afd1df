"""The ledger's file: where it is, when it is written, and when it is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from commands import Command, CommandResult
from glossary_folder import LIBRARY, MANUAL, SITE, everything, glossary, write
from repositories import Repository

from sitegen import safe_files
from sitegen.permanence import remedies
from sitegen.permanence.ledger import dump, lost, parse
from sitegen.pipeline import staging
from sitegen.preview.server import Preview
from sitegen.preview.session import PreviewSession
from sitegen.site.templates import read_templates
from sitegen.sources.projects import Project

WORDS, SITE_FOLDER = Path("words"), Path("site")
LEDGER, PUBLISHED = WORDS / "permalinks.json", SITE_FOLDER / "permalinks.json"


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Command:
    """Runs the command beside a glossary of two sources, `words`."""
    write(tmp_path / "words")
    return command


def refused(result: CommandResult, *parts: str) -> bool:
    """True if a command ended with status 2 and printed all of these texts."""
    assert result.out == ""
    assert [part for part in parts if part not in result.err] == [], result.err
    return result.status == 2


def add_release(folder: Path = WORDS, release: str = "1.2", **terms: str) -> None:
    write(
        folder / "library" / release, {"GLOSSARY.md": glossary(ATen="A tensor library.", **terms)}
    )


# Where it is, and when it is written.


def test_ledger_stands_beside_site_toml_and_is_published(run: Command) -> None:
    """A build writes the ledger beside site.toml and into the site, and sets git's merge driver for
    it."""
    assert run("build", "words").status == 0
    assert LEDGER.read_bytes() == PUBLISHED.read_bytes()
    assert "/term/aten/" in parse(LEDGER.read_text(), "permalinks.json")
    assert (WORDS / ".gitattributes").read_text() == "permalinks.json merge=union\n"
    assert LEDGER.stat().st_mode & 0o777 == 0o644
    assert sorted(path.name for path in WORDS.iterdir() if path.is_file()) == [
        ".gitattributes",
        "permalinks.json",
        "site.toml",
    ]


def test_ledger_stands_in_the_folder_that_is_built(run: Command) -> None:
    """Without a site.toml the ledger is in the built folder, and is not taken for a release."""
    assert run("build", "words/library").status == 0
    assert (WORDS / "library/permalinks.json").read_bytes() == PUBLISHED.read_bytes()
    again = run("build", "words/library", "--locked")
    assert (again.status, again.err, " 0 problems" in again.out) == (0, "", True)


def test_git_on_the_command_line_leaves_nothing_here(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --git, the current folder gets a ledger only if it has a site.toml or --ledger names a
    file there."""
    Repository(tmp_path / "other").release("v1.0", glossary(ATen="A tensor library."))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for options in ([], ["--path", "GLOSSARY.md"]):
        result = command("build", "--git", "../other", *options, "-o", "../out")
        assert (result.status, "no address is promised" in result.out) == (0, True)
        assert everything(Path()) == {}
        assert (
            command("build", "--git", "../other", *options, "-o", "../out", "--locked").status == 2
        )
    assert not Path("../out/permalinks.json").exists()
    for _ in range(2):
        assert (
            command("build", "--git", "../other", "-o", "../out", "--ledger", "kept.json").status
            == 0
        )
    assert Path("kept.json").read_bytes() == Path("../out/permalinks.json").read_bytes()
    assert {*everything(Path())} == {"kept.json", ".gitattributes"}


def test_ledger_of_a_repository_stands_beside_site_toml(command: Command, tmp_path: Path) -> None:
    """With --git the ledger is in the current folder if it has a site.toml, and the repository is
    not changed."""
    Path("site.toml").write_text("")
    repository = Repository(tmp_path / "elsewhere/library")
    repository.release("v1.0", glossary(ATen="A tensor library.", Kernel="A loop."))
    before = everything(repository.path)
    for options in ((), ("--locked",)):
        assert (
            command("build", "--git", "elsewhere/library", "--path", "GLOSSARY.md", *options).status
            == 0
        )
    assert Path("permalinks.json").read_bytes() == PUBLISHED.read_bytes()
    assert everything(repository.path) == before


def test_second_build_changes_nothing(run: Command) -> None:
    """A second build changes no byte of ledger and site, and does not write the ledger."""
    run("build", "words")
    before, moment = everything(WORDS, SITE_FOLDER), LEDGER.stat().st_mtime_ns
    for options in ((), ("--locked",)):
        assert run("build", "words", *options).status == 0
        assert (everything(WORDS, SITE_FOLDER), LEDGER.stat().st_mtime_ns) == (before, moment)


UNION = b"permalinks.json merge=union\n"


@pytest.mark.parametrize(
    ("there", "added"),
    [
        (b"*.png binary", b"\n" + UNION),
        (b"# caf\xe9, not permalinks.json merge\r\n*.md text\r\n", UNION),
        (b"old-permalinks.json merge=ours\n", UNION),
        (b"permalinks.json\n*.md merge=ours\n", UNION),
        (b"permalinks.json linguist-generated\n", UNION),
        (b"permalinks.json merge=ours\n", b""),
        (b"*.md text\r\n/permalinks.json -text -merge\r\n", b""),
        (b"permalinks.json binary", b""),
    ],
)
def test_git_is_told_once_how_to_merge(run: Command, there: bytes, added: bytes) -> None:
    """Existing lines of .gitattributes are kept and not contradicted."""
    attributes = WORDS / ".gitattributes"
    attributes.write_bytes(there)
    assert run("build", "words").status == 0
    assert attributes.read_bytes() == there + added
    add_release()
    assert run("build", "words").status == 0
    assert attributes.read_bytes() == there + added


def test_git_that_cannot_be_told_how_to_merge(run: Command) -> None:
    """If .gitattributes cannot be written, site and ledger still are."""
    (WORDS / ".gitattributes").mkdir()
    assert run("build", "words").status == 0
    assert LEDGER.read_bytes() == PUBLISHED.read_bytes()


def test_build_without_a_ledger_promises_nothing(run: Command) -> None:
    """With --no-ledger none is written or published, and an existing one is ignored and kept."""
    run("build", "words")
    before = LEDGER.read_bytes()
    write(WORDS, {"site.toml": SITE + LIBRARY})
    assert run("build", "words", "--no-ledger").status == 0
    assert (LEDGER.read_bytes(), PUBLISHED.exists()) == (before, False)


def test_failed_build_leaves_everything_as_it_was(run: Command) -> None:
    """A build that would break a promise changes neither site nor ledger, and leaves no files
    behind."""
    run("build", "words")
    before_the_change = (WORDS / "site.toml").read_text()
    write(WORDS, {"site.toml": SITE + LIBRARY})
    before = everything(WORDS, SITE_FOLDER)
    assert refused(run("build", "words"), "would break", 'source = "manual"')
    assert everything(WORDS, SITE_FOLDER) == before
    (report,) = Path("cache").rglob("broken-addresses.toml")
    assert "/term/widget/" in report.read_text()
    write(WORDS, {"site.toml": before_the_change})
    assert (run("build", "words").status, report.exists()) == (0, False)


@pytest.mark.parametrize(
    "target", ["../kept/words.json", "../nowhere/words.json", "permalinks.json"]
)
@pytest.mark.parametrize("name", ["permalinks.json", ".gitattributes"])
def test_link_in_place_of_the_ledger(run: Command, name: str, target: str) -> None:
    """A link in place of the ledger, or of a file beside it, stops the build in one line; nothing
    is written."""
    Path("kept").mkdir()
    Path("kept/words.json").write_text("")
    (WORDS / name).symlink_to(target)
    before = everything(Path())
    result = run("build", "words")
    assert refused(result, f"words/{name}: is a symbolic link")
    assert result.err.count("\n") == 1
    assert everything(Path()) == before and not SITE_FOLDER.exists()


# Locked.


def test_locked_build_refuses_new_addresses(run: Command) -> None:
    """With --locked a build that would add to the ledger fails, names the new addresses, and writes
    nothing."""
    run("build", "words")
    add_release(Loop="What runs again.")
    before = everything(Path())
    result = run("build", "words", "--locked")
    assert refused(
        result,
        "words/permalinks.json: --locked allows no new addresses",
        "\n  /release/1.2/\n",
        "run sitegen build",
    )
    assert everything(Path()) == before
    assert run("build", "words").status == 0
    assert run("build", "words", "--locked").status == 0


def test_locked_build_needs_a_ledger(run: Command) -> None:
    """Without a ledger a locked build fails, and writes neither a site nor a ledger."""
    before = everything(Path())
    assert refused(run("build", "words", "--locked"), "--locked allows no new addresses", "\n  /\n")
    assert everything(Path()) == before


# Rolled back.


def roll_back(run: Command) -> None:
    """Publishes a release, and then restores the earlier ledger."""
    run("build", "words")
    before = LEDGER.read_bytes()
    add_release(Loop="What runs again.")
    run("build", "words")
    LEDGER.write_bytes(before)


def test_ledger_rolled_back_behind_the_site_is_refused(run: Command) -> None:
    """A ledger that lacks addresses of the existing site is refused; the printed remedy works."""
    roll_back(run)
    before = everything(Path())
    result = run("build", "words")
    assert refused(
        result,
        "words/permalinks.json: the ledger lacks",
        "site/permalinks.json",
        "\n  /release/1.2/\n",
    )
    assert refused(run("build", "words", "--locked"), "the ledger lacks")
    assert everything(Path()) == before
    assert "--ledger site/permalinks.json" in result.err
    assert run("build", "words", "--ledger", "site/permalinks.json").status == 0
    assert "/term/loop/" in LEDGER.read_text()


def test_lost_ledger_is_refused(run: Command) -> None:
    """If the ledger is deleted, the promises of the existing site still hold."""
    run("build", "words")
    LEDGER.unlink()
    assert refused(run("build", "words"), "the ledger lacks", "take it back from git", " more")
    assert not LEDGER.exists()


def test_ledger_that_gives_addresses_another_meaning_is_refused(run: Command) -> None:
    """A new ledger that gives published addresses to other names is refused."""
    run("build", "words")
    rows = dict(parse(LEDGER.read_text(), ""))
    for address, name in (("/term/kernel/", "Volume"), ("/term/volume/", "Kernel")):
        rows[address] = replace(rows[address], name=name)
    LEDGER.write_text(dump(rows))
    result = run("build", "words")
    assert refused(
        result, "the ledger lacks 2 of the addresses", "\n  /term/kernel/\n  /term/volume/\n"
    )


def test_another_glossary_in_the_same_folder_is_told_apart(run: Command) -> None:
    """Building another glossary over a site is refused; the remedy, another folder, works."""
    run("build", "words")
    write(Path("other"), {"1.0/GLOSSARY.md": glossary(Fox="An animal.", Hare="Another animal.")})
    assert refused(
        run("build", "other"),
        "other/permalinks.json: the ledger lacks",
        "name another folder with -o or delete site",
    )
    assert run("build", "other", "-o", "elsewhere").status == 0


def test_damaged_copy_in_the_site_is_refused(run: Command) -> None:
    """A damaged copy in the site is refused; the remedy is to build the site anew."""
    run("build", "words")
    PUBLISHED.write_text(PUBLISHED.read_text().replace('"ATen"', '"Aten"'))
    assert refused(
        run("build", "words"),
        "site/permalinks.json:",
        "the line for /term/aten/",
        "delete site and build it anew",
    )


# The one that is live.


@contextmanager
def live(answer: bytes | int) -> Iterator[str]:
    """Returns the address of a server that always answers with these bytes, or this status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answer if isinstance(answer, int) else 200)
            if answer == HTTPStatus.FOUND:
                self.send_header(
                    "Location", "https://forge.example/sign_in?to=elsewhere&state=a1b2c3"
                )
            self.end_headers()
            self.wfile.write(answer if isinstance(answer, bytes) else b"")

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/permalinks.json"
        server.shutdown()


def published_elsewhere(run: Command) -> bytes:
    """A newer ledger that another machine has published, and that is missing here."""
    roll_back(run)
    ledger = PUBLISHED.read_bytes()
    shutil.rmtree(SITE_FOLDER)
    return ledger


def test_ledger_behind_the_live_one_takes_it_in(run: Command) -> None:
    """The live ledger is merged from the web; a locked build fails and names what is missing."""
    with live(published_elsewhere(run)) as address:
        before = everything(Path())
        result = run("build", "words", "--locked", "--ledger", address)
        assert refused(
            result,
            "words/permalinks.json: the ledger lacks",
            address,
            "\n  /release/1.2/\n",
            "--locked",
        )
        assert everything(Path()) == before
        assert run("build", "words", "--ledger", address).status == 0
        assert run("build", "words", "--ledger", address, "--locked").status == 0
    assert "/term/loop/" in LEDGER.read_text()


def test_promises_of_the_live_ledger_are_kept(run: Command) -> None:
    """The gate protects an address that only the live ledger has."""
    ledger = published_elsewhere(run)
    shutil.rmtree(WORDS / "library/1.2")
    Path("live.json").write_bytes(ledger)
    for place in ("live.json", None):
        with live(ledger) as address:
            assert refused(
                run("build", "words", "--ledger", place or address),
                "would break",
                'release = "1.2"',
            )


def test_ledger_that_contradicts_the_live_one_is_refused(run: Command) -> None:
    """If the ledgers give one address to different names, the build fails."""
    run("build", "words")
    rows = dict(parse(LEDGER.read_text(), ""))
    rows["/term/kernel/"] = replace(rows["/term/kernel/"], name="Loop")
    Path("live.json").write_text(dump(rows))
    result = run("build", "words", "--ledger", "live.json")
    assert refused(
        result, "words/permalinks.json: /term/kernel/ has a different meaning in live.json"
    )


def test_nothing_is_live_yet(run: Command) -> None:
    """Before the first publication the address answers 404, and the build continues."""
    with live(404) as address:
        assert run("build", "words", "--ledger", address).status == 0


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (500, "cannot be fetched (the server answers 500 Internal Server Error)"),
        (
            302,
            "it redirects to https://forge.example/sign_in; name that address if the file is there",
        ),
        (401, "401 Unauthorized; if it asks for a sign-in, leave --ledger out"),
        (403, "403 Forbidden; if it asks for a sign-in, leave --ledger out"),
        (
            b"\n<!doctype html>",
            "(a web page is there; if it asks for a sign-in, leave --ledger out",
        ),
        (b"{}", ":1: no ledger begins like this"),
        (b"\xff", "it is not text in UTF-8"),
        (dump({}).encode()[:-5], ":2: the ledger is cut short"),
    ],
)
def test_live_ledger_that_cannot_be_read_is_refused(
    run: Command, answer: bytes | int, found: str
) -> None:
    """An answer that is not a ledger stops the build in one line with the address."""
    with live(answer) as address:
        before = everything(Path())
        result = run("build", "words", "--ledger", address)
        assert refused(result, address, found)
        assert result.err.count("\n") == 1
        assert everything(Path()) == before


def test_no_answer_is_one_line(run: Command) -> None:
    """An address without a server stops the build in one line."""
    with live(404) as address:
        pass
    result = run("build", "words", "--ledger", address)
    assert refused(result, address, "cannot be fetched")
    assert result.err.count("\n") == 1


def test_file_that_is_not_there_is_no_live_ledger(run: Command) -> None:
    """A missing file for --ledger is an error, locked or not, and nothing is written."""
    for options in ((), ("--locked",)):
        before = everything(Path())
        assert refused(
            run("build", "words", "--ledger", "liev.json", *options), "liev.json: no such ledger"
        )
        assert everything(Path()) == before


# Where nothing can be written.


def test_place_that_cannot_be_written_is_one_line(run: Command) -> None:
    """If the ledger cannot be written, the build stops before the site is replaced, with a way
    out."""
    (WORDS / ".permalinks.json.new").mkdir()  # root may write anywhere, but not a folder
    before = everything(Path())
    result = run("build", "words")
    assert refused(result, "words/permalinks.json: the ledger cannot be written", "--no-ledger")
    assert result.err.count("\n") == 1
    assert everything(Path()) == before
    assert not SITE_FOLDER.exists()
    assert run("build", "words", "--no-ledger").status == 0


def test_git_is_told_of_a_file_whatever_its_name(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger whose name needs quoting in .gitattributes is merged by lines too."""
    Repository(tmp_path / "other").release("v1.0", glossary(ATen="A tensor library."))
    repository = Repository(tmp_path / "kept")
    name = "our [own] w\u00f6rds.json"
    monkeypatch.chdir(tmp_path)
    assert command("build", "--git", "other", "--ledger", f"kept/{name}").status == 0
    assert (repository.path / ".gitattributes").read_text() == "our??own??w??rds.json merge=union\n"
    assert "merge: union" in repository.git("check-attr", "merge", "--", name)
    assert "merge: unspecified" in repository.git("check-attr", "merge", "--", "our")


# Broken off.


DYING = """
import os
from pathlib import Path
from sitegen.commands import main as cli
from sitegen.pipeline import staging
{where} = lambda *arguments: os._exit(9)
cli.main()
"""


def die(where: str, *, status: int = 9) -> None:
    """Runs a build that is killed when it calls a function."""
    program = DYING.format(where=where)
    died = subprocess.run([sys.executable, "-c", program, "build", "words"], capture_output=True)
    assert died.returncode == status, died.stderr


def test_build_killed_between_ledger_and_site_is_finished_by_the_next(run: Command) -> None:
    """If a build is killed after replacing the ledger and before the site, the next build replaces
    the site."""
    run("build", "words")
    add_release(Loop="What runs again.")
    before = PUBLISHED.read_bytes()
    die("staging.swap")
    assert LEDGER.read_bytes() != before == PUBLISHED.read_bytes()
    assert run("build", "words").status == 0
    assert LEDGER.read_bytes() == PUBLISHED.read_bytes() != before
    assert run("build", "words", "--locked").status == 0


def test_build_killed_before_the_site_was_replaced_leaves_no_promise_in_git(run: Command) -> None:
    """What a killed build has written into the ledger is no promise before it is committed, as of
    any build."""
    shutil.rmtree(WORDS)
    repository = Repository(WORDS.absolute())
    write(WORDS)
    run("build", "words")
    repository.commit({})
    before = LEDGER.read_bytes()
    add_release(Loop="What runs again.")
    die("staging.swap")
    shutil.rmtree(WORDS / "library/1.2")
    assert run("build", "words").status == 0
    assert LEDGER.read_bytes() == before


def is_alone() -> bool:
    """True while a process has the lock of the ledger's folder."""
    opened = os.open(WORDS, os.O_RDONLY)
    try:
        safe_files.lock(opened, safe_files.EXCLUSIVE | safe_files.WITHOUT_WAITING)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


def test_ledger_of_a_site_to_come_is_met_by_no_other_build(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger is replaced before the site, while its build has the lock."""
    seen: list[tuple[str, bool, bool]] = []

    def noting(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            seen.append((name, LEDGER.exists(), is_alone()))
            return do(*arguments, **options)

        return noted

    monkeypatch.setattr(remedies, "check_made", noting("made", remedies.check_made))
    monkeypatch.setattr(staging, "swap", noting("swapped", staging.swap))
    assert run("build", "words").status == 0
    assert seen == [("made", False, False), ("swapped", True, True)]
    assert not is_alone()


WAITING = """
from sitegen.commands import main as cli
from sitegen import safe_files
lock = safe_files.lock

def telling(opened, how):
    print("waits", flush=True)
    lock(opened, how)

safe_files.lock = telling
cli.main()
"""


def test_build_that_begins_while_another_replaces_site_and_ledger(run: Command) -> None:
    """It waits, and does not report a ledger that lacks what the site has."""
    run("build", "words")
    before = LEDGER.read_bytes()
    add_release(Loop="What runs again.")
    run("build", "words")
    after = LEDGER.read_bytes()
    LEDGER.write_bytes(before)
    with safe_files.locked(WORDS):
        waiting = [sys.executable, "-c", WAITING, "build", "words"]
        process = subprocess.Popen(
            waiting, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout and process.stdout.readline() == "waits\n"
        LEDGER.write_bytes(after)
    result = process.communicate()
    assert (process.returncode, LEDGER.read_bytes()) == (0, after), result


def test_addresses_that_another_build_has_just_added_stay(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that ends after one with other terms replaces neither its site nor its ledger."""
    add_release(Loop="What runs again.")
    run("build", "words")
    other = LEDGER.read_bytes()
    LEDGER.unlink()
    shutil.rmtree(SITE_FOLDER)
    add_release(Leap="What skips.")
    check_made = remedies.check_made

    def meanwhile(*arguments: Any, **options: Any) -> None:
        check_made(*arguments, **options)
        LEDGER.write_bytes(other)

    monkeypatch.setattr(remedies, "check_made", meanwhile)
    assert refused(
        run("build", "words"),
        "another build has just added 4 addresses; build again\n  /a-z/#term-Loop",
    )
    assert LEDGER.read_bytes() == other
    assert not SITE_FOLDER.exists()
    assert [path.name for path in WORDS.iterdir() if path.name.endswith(".new")] == []


@pytest.mark.parametrize("where", ["staging.swap", "nowhere"])
@pytest.mark.parametrize("edited", ["library/1.3/GLOSSARY.md", "site.toml"])
def test_addresses_of_a_build_that_ends_meanwhile_stay(
    run: Command, monkeypatch: pytest.MonkeyPatch, edited: str, where: str
) -> None:
    """A build gives way to one that has just added something: whole or killed between ledger and
    site, whether it would add to the ledger itself or not.
    """
    run("build", "words")
    titled = SITE.replace("[site]", '[site]\ntitle = "Words"') + LIBRARY + MANUAL
    write(WORDS, {edited: titled if edited == "site.toml" else glossary(Leap="What skips.")})
    check_made = remedies.check_made

    def meanwhile(*arguments: Any, **options: Any) -> None:
        check_made(*arguments, **options)
        add_release(Loop="What runs again.")
        die(where, status=0 if where == "nowhere" else 9)

    monkeypatch.setattr(remedies, "check_made", meanwhile)
    assert refused(run("build", "words"), "another build has just added", "\n  /a-z/#term-Loop\n")
    assert "/term/loop/" in LEDGER.read_text()
    assert (LEDGER.read_bytes() == PUBLISHED.read_bytes()) == (where == "nowhere")


def test_full_disk_leaves_site_and_ledger(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the ledger is unchanged, and no file is left beside it."""
    run("build", "words")
    add_release(Loop="What runs again.")
    before = everything(Path())

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(staging, "swap", full)
    assert refused(run("build", "words"), "No space left on device")
    assert everything(Path()) == before


# Preview.


def test_preview_has_the_addresses_that_will_be_published(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sitegen serve` uses the ledger's addresses, reports what a build would refuse, and writes no
    ledger."""
    run("build", "words")
    before = LEDGER.read_bytes()
    (WORDS / "library/1.1/nodes.md").unlink()
    for release in ("1.0", "1.1"):
        file = WORDS / "library" / release / "GLOSSARY.md"
        file.write_text(file.read_text().replace("Kernel", "Core"))
    write(
        WORDS,
        {
            "site.toml": SITE
            + LIBRARY
            + MANUAL
            + '[[rename]]\nsource = "library"\nfrom = "Kernel"\nto = "Core"\n'
        },
    )
    monkeypatch.setattr(
        "sitegen.preview.watching.changes", lambda *folders, **options: iter([lambda: False])
    )
    result = run("serve", "words", "--port", "0")
    assert result.status == 0
    assert "words/permalinks.json: this build would break 4 published addresses" in result.err
    assert "/term/leaf-node/: would be missing" in result.err
    assert LEDGER.read_bytes() == PUBLISHED.read_bytes() == before
    preview = Preview(read_templates())
    project = Project(folder=WORDS)
    PreviewSession(project, preview, SITE_FOLDER, report=lambda shown: None).rebuild(fetching=False)
    assert b"<title>Core" in preview.answer("/words/term/kernel/").body


def test_preview_without_a_ledger_says_nothing_of_it(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first build, a preview has no promises to break."""
    monkeypatch.setattr(
        "sitegen.preview.watching.changes", lambda *folders, **options: iter([lambda: False])
    )
    assert (run("serve", "words", "--port", "0").err, LEDGER.exists()) == ("", False)


# Damaged.


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (
            lambda text: text.replace('"name": "Kernel"', '"name": "Colonel"'),
            "the line for /term/kernel/ was changed",
        ),
        (
            lambda text: text.replace('"r1.0": "library 1.0"', '"r1.0": "library 9.0"', 1),
            "was changed",
        ),
        (lambda text: text.replace('"kind": "page", ', "", 1), "the line for / was changed"),
        (lambda text: text[: len(text) // 2], "cut short"),
        (lambda text: "", "no ledger begins like this"),
        (lambda text: text.replace("\n", "\n<<<<<<< HEAD\n", 3), "merge conflict"),
        (lambda text: text.replace("ledger 1", "ledger 7", 1), "newer sitegen"),
        (lambda text: text.replace("\n", "\nthis is a note\n", 1), "no ledger line"),
    ],
)
def test_damaged_ledger_is_refused(run: Command, damage: Callable[[str], str], found: str) -> None:
    """An edited, truncated or conflicting ledger is refused with its line; site and ledger stay
    unchanged."""
    run("build", "words")
    intact = LEDGER.read_text()
    LEDGER.write_text(damage(intact))
    pairs = zip(intact.split("\n"), damage(intact).split("\n"), strict=False)
    line = next(number for number, (one, two) in enumerate(pairs, start=1) if one != two)
    before = everything(Path())
    for options in ((), ("--locked",)):
        result = run("build", "words", *options)
        assert refused(result, f"words/permalinks.json:{line}: ", found)
        assert result.err.count("\n") == 1
    assert everything(Path()) == before


# Branches.


def branches(
    folder: Path, changes: Mapping[str, Mapping[str, str]], run: Command, *, built: bool = True
) -> Repository:
    """A repository with branches that each add files and build, all merged into the first."""
    repository = Repository(folder)
    write(repository.path)
    if built:
        run("build", str(folder), "-o", "built/main")
    repository.commit({})
    first, *others = changes
    for branch in changes:
        repository.git("checkout", "--quiet", "-b", branch, "main")
        write(repository.path, changes[branch])
        assert run("build", str(folder), "-o", f"built/{branch}").status == 0
        repository.commit({})
    repository.git("checkout", "--quiet", "main")
    for branch in (first, *others):
        repository.git("merge", "--quiet", "--message=Merge", branch)
    return repository


BRANCHES = {
    "one": {
        "library/1.1/one.md": glossary(
            Loop="What runs again.", Lamp="What shines.", Zebra="An animal."
        ),
        "library/1.2/GLOSSARY.md": glossary(ATen="A tensor library.", Loop="What runs again."),
    },
    "two": {
        "library/1.1/two.md": glossary(Loom="What weaves.", Lamp="What shines.", Zoo="A place."),
        "library/1.10/GLOSSARY.md": glossary(ATen="A library.", Loop="What runs again."),
    },
}


@pytest.mark.parametrize("built", [True, False], ids=["", "first"])
def test_ledgers_of_two_branches_merge(run: Command, tmp_path: Path, built: bool) -> None:
    """Two branches that each add terms and a release, and build, merge with plain git; the result
    builds.

    After that a locked build passes. Before, it does not: terms of each branch have a place for the
    other's release.
    """
    repository = branches(tmp_path / "repository", BRANCHES, run, built=built)
    assert "<<<<" not in (repository.path / "permalinks.json").read_text()
    result = run("build", "repository", "-o", "merged", "--locked")
    assert refused(result, "--locked allows no new addresses", "run sitegen build")
    assert run("build", "repository", "-o", "merged").status == 0
    assert run("build", "repository", "-o", "merged", "--locked").status == 0
    published = parse((tmp_path / "merged/permalinks.json").read_text(), "")
    for branch in BRANCHES:
        assert (
            list(
                lost(
                    published, parse((tmp_path / f"built/{branch}/permalinks.json").read_text(), "")
                )
            )
            == []
        )
    assert published["/term/loop/"].first == "1.1"
    # A site that was published from a branch goes on with what was merged.
    assert run("build", "repository", "-o", "built/two").status == 0


def test_branches_that_give_one_address_to_two_terms_ask(run: Command, tmp_path: Path) -> None:
    """If branches gave a slug to different names, a person keeps the published line, and the build
    succeeds."""
    changes = {
        "one": {
            "library/1.1/one.md": glossary(
                **{"Big loop": "What runs again.", "Lamp": "What shines."}
            )
        },
        "two": {"library/1.1/two.md": glossary(**{"Big-loop": "A feeling.", "Zoo": "A place."})},
    }
    repository = branches(tmp_path / "repository", changes, run)
    result = run("build", "repository", "-o", "merged")
    assert refused(
        result,
        "permalinks.json:",
        "two lines give /term/big-loop/ different meanings; keep the one that was",
    )
    ledger = repository.path / "permalinks.json"
    lines = [
        line
        for line in ledger.read_text().splitlines()
        if "/term/big-loop/" not in line or "feeling" in line
    ]
    kept = [line for line in ledger.read_text().splitlines() if '"Big loop"' in line]
    ledger.write_text("\n".join([lines[0], *kept, *lines[1:]]) + "\n")
    assert run("build", "repository", "-o", "merged").status == 0
    assert {"big-loop", "big-loop-2"} <= {
        path.name for path in (tmp_path / "merged/term").iterdir()
    }
