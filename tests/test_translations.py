"""How far translations are behind, what `sitegen translations` prints, and random histories against
an oracle of their own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, time
from pathlib import Path
from random import Random

import pytest
from soaking import seeds
from translated import (
    CACHE,
    CACHE_2,
    CACHE_FR,
    CACHE_FR_2,
    DAYS,
    EN,
    FR,
    NODE,
    NODE_FR,
    SETTINGS,
    both,
    commit,
    repository,
    states,
    term,
)

from sitegen.commands.main import sitegen
from sitegen.model import SitegenError


def test_a_reworded_original_leaves_its_translation_behind(tmp_path: Path) -> None:
    """The state names the commit, and the words that the translation was made from."""
    folder = tmp_path / "project"
    both(folder)
    assert {one.state for one in states(folder).values()} == {"up-to-date"}
    id = commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    found = states(folder)
    assert (found["Cache"].state, found["Node"].state) == ("behind", "up-to-date")
    since, made_from, translated = (
        found["Cache"].since,
        found["Cache"].made_from,
        found["Cache"].translated,
    )
    assert since and made_from and translated
    assert (since.commit, made_from.text, translated.day) == (id, CACHE, DAYS[1])


def test_only_words_count(tmp_path: Path) -> None:
    """Links, markup, front matter and moves of either side change no state."""
    folder = tmp_path / "project"
    both(folder)
    linked = CACHE.replace("results", "[results](https://example.org)")
    commit(folder, {f"{EN}/cache.md": term("Cache", f"**{linked}**", tags="new")}, DAYS[2])
    assert states(folder)["Cache"].state == "up-to-date"
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[3])
    commit(
        folder,
        {f"{FR}/cache.md": term("Le cache", CACHE_FR.replace("cache", "*cache*"), tags="x")},
        DAYS[4],
    )
    assert states(folder)["Cache"].state == "behind"
    settings = SETTINGS.replace('"docs/fr"', '"docs/fr-FR", "docs/fr"')
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    moved = {f"{FR}/{name}.md": None for name in ("cache", "node")}
    texts = {"cache": term("Le cache", CACHE_FR), "node": term("Nœud", NODE_FR)}
    commit(
        folder,
        {**moved, **{f"docs/fr-FR/{name}.md": text for name, text in texts.items()}},
        DAYS[5],
    )
    assert (states(folder)["Cache"].state, states(folder)["Node"].state) == ("behind", "up-to-date")


def test_a_heading_that_goes_leaves_no_translation_behind(tmp_path: Path) -> None:
    """A heading is no sentence: a translation stays current when its original loses one, is still
    untranslated if the original only lost one, and is not new when it loses one itself."""
    folder = tmp_path / "project"
    both(folder)
    headed, headed_in_french = f"## What it is\n\n{CACHE}", f"## Définition\n\n{CACHE_FR}"
    both_headed = {
        f"{EN}/cache.md": term("Cache", headed),
        f"{FR}/cache.md": term("Le cache", headed),
    }
    commit(folder, both_headed, DAYS[2])
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE)}, DAYS[3])
    assert states(folder)["Cache"].state == "untranslated"
    commit(folder, {f"{FR}/cache.md": term("Le cache", headed_in_french)}, DAYS[4])
    found = states(folder)["Cache"]
    assert (found.state, found.made_on) == ("up-to-date", DAYS[4])
    assert found.reworded and found.reworded.day == DAYS[0]
    commit(folder, {f"{FR}/cache.md": term("Le cache", CACHE_FR)}, DAYS[5])
    assert states(folder)["Cache"].made_on == DAYS[4]
    commit(folder, {f"{EN}/cache.md": term("Cache", f"## What it is\n\n{CACHE_2}")}, DAYS[6])
    assert states(folder)["Cache"].state == "behind"


def test_a_new_translation_is_up_to_date_and_a_small_change_is_none(tmp_path: Path) -> None:
    """A translation that was changed by little against its original stays behind."""
    folder = tmp_path / "project"
    both(folder)
    commit(
        folder,
        {
            f"{EN}/cache.md": term("Cache", CACHE_2),
            f"{EN}/node.md": term("Node", f"{NODE} {CACHE}"),
        },
        DAYS[2],
    )
    accents = term("Le cache", CACHE_FR.replace("é", "e"))
    commit(
        folder,
        {f"{FR}/cache.md": accents, f"{FR}/node.md": term("Nœud", f"{NODE_FR} {CACHE_FR}")},
        DAYS[3],
    )
    found = states(folder)
    assert (found["Cache"].state, found["Node"].state) == ("behind", "up-to-date")
    commit(folder, {f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, DAYS[4])
    assert states(folder)["Cache"].state == "up-to-date"


def test_a_small_change_does_not_make_up_for_an_earlier_rewording(tmp_path: Path) -> None:
    """A translation that was changed by little is behind since the first rewording that it lacks,
    also if its original was reworded again."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    accents = term("Le cache", CACHE_FR.replace("é", "e"))
    commit(folder, {f"{FR}/cache.md": accents}, DAYS[3])
    commit(folder, {f"{EN}/cache.md": term("Cache", f"{CACHE_2} It is small.")}, DAYS[4])
    found = states(folder)["Cache"]
    assert (found.state, found.rewordings) == ("behind", 2)
    assert found.made_from and found.made_from.text == CACHE
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE)}, DAYS[5])
    assert states(folder)["Cache"].state == "up-to-date"


def test_words_that_are_back_leave_nothing_behind(tmp_path: Path) -> None:
    """If the original has the words again that the translation was made from, it is up to date."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE)}, DAYS[3])
    assert states(folder)["Cache"].state == "up-to-date"


def test_terms_with_folders_of_their_own_may_move(tmp_path: Path) -> None:
    """A file `cache/index.md` is a term, and a move of both languages in one commit changes no
    state."""
    folder = tmp_path / "project"
    before = {
        f"{EN}/cache/index.md": term("Cache", CACHE),
        f"{EN}/node/index.md": term("Node", NODE),
        f"{FR}/cache/index.md": term("Le cache", CACHE_FR),
        f"{FR}/node/index.md": term("Nœud", NODE_FR),
    }
    repository(folder)
    commit(folder, {path: text for path, text in before.items() if path.startswith(EN)}, DAYS[0])
    commit(folder, {path: text for path, text in before.items() if path.startswith(FR)}, DAYS[1])
    reworded = before | {f"{EN}/cache/index.md": term("Cache", CACHE_2)}
    commit(folder, reworded, DAYS[2])
    expected = {"Cache": "behind", "Node": "up-to-date"}
    assert {name: one.state for name, one in states(folder).items()} == expected
    moved: dict[str, str | None] = {}
    for path, text in reworded.items():
        moved |= {path: None, path.replace("/index.md", ".md"): text}
    commit(folder, moved, DAYS[3])
    assert {name: one.state for name, one in states(folder).items()} == expected


def test_a_rename_with_other_words_leaves_a_translation_behind(tmp_path: Path) -> None:
    """A translation was made from the words that its original had under its former name."""
    folder = tmp_path / "project"
    both(folder)
    reworded = f"{CACHE} It is small."
    moved: dict[str, str | None] = {
        f"{EN}/cache.md": None,
        f"{EN}/store.md": term("Store", reworded),
        f"{FR}/cache.md": None,
        f"{FR}/store.md": term("Le cache", CACHE_FR),
    }
    commit(folder, moved, DAYS[2])
    found = states(folder)["Store"]
    assert found.state == "behind"
    assert found.made_from and found.made_from.text == CACHE


def test_untranslated_missing_and_orphaned(tmp_path: Path) -> None:
    """Words of the original are no translation, and an original that is gone leaves an orphan."""
    folder = tmp_path / "project"
    both(folder)
    commit(
        folder,
        {f"{FR}/cache.md": term("Le cache", CACHE), f"{EN}/peer.md": term("Peer", "Another node.")},
        DAYS[2],
    )
    commit(folder, {f"{EN}/node.md": None}, DAYS[3])
    found = {name: one.state for name, one in states(folder).items()}
    assert found == {"Cache": "untranslated", "Peer": "missing", "Node": "orphaned"}


def test_a_text_that_moved_to_its_language_is_no_orphan(tmp_path: Path) -> None:
    """Where the originals were in the language of the translation first, these have the same words,
    and are no originals of it."""
    folder = tmp_path / "project"
    both(folder)
    words = "Garde les travaux sur une longue bande."
    commit(folder, {f"{EN}/bande.md": term("Bande", words)}, DAYS[2])
    moved = {f"{EN}/bande.md": None, f"{FR}/bande.md": term("Bande", words)}
    commit(folder, {**moved, f"{EN}/tape.md": term("Tape", "Keeps jobs.")}, DAYS[3])
    found = {name: one.state for name, one in states(folder).items()}
    assert found == {"Cache": "up-to-date", "Node": "up-to-date", "Tape": "unpaired"}


def test_the_translation_of_a_renamed_original_stays_its_translation(tmp_path: Path) -> None:
    """A file that still has the former name of its original is the translation of the term under
    its present name, also after a second rename, unless another file has that name. An original
    that was renamed and then removed leaves an orphan."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/node.md": None, f"{EN}/nodes.md": term("Nodes", NODE)}, DAYS[2])
    assert states(folder)["Nodes"].state == "up-to-date"
    reworded = f"{NODE} It has a name."
    commit(folder, {f"{EN}/nodes.md": None, f"{EN}/peers.md": term("Peers", reworded)}, DAYS[3])
    assert states(folder)["Peers"].state == "behind"
    commit(folder, {f"{FR}/peers.md": term("Pairs", NODE_FR)}, DAYS[4])
    found = states(folder)
    assert (found["Peers"].state, found["Node"].state) == ("up-to-date", "orphaned")
    commit(folder, {f"{FR}/peers.md": None, f"{EN}/peers.md": None}, DAYS[5])
    assert states(folder)["Node"].state == "orphaned"


def test_a_rename_that_a_merge_dropped_leaves_no_original(tmp_path: Path) -> None:
    """An original that only a dropped branch renamed, and that was removed later, is gone."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/node.md": term("Node", NODE)}, day=DAYS[0])
    made.commit({f"{FR}/node.md": term("Nœud", NODE_FR)}, day=DAYS[1])
    made.git("switch", "--quiet", "--create", "side")
    made.commit({f"{EN}/node.md": None, f"{EN}/peer.md": term("Peer", NODE)}, day=DAYS[2])
    made.git("switch", "--quiet", "main")
    made.commit({f"{FR}/node.md": term("Nœud", f"{NODE_FR} Bien.")}, day=DAYS[3])
    made.git("merge", "--quiet", "--no-edit", "--strategy=ours", "side", day=DAYS[3])
    made.commit({f"{EN}/cache.md": term("Cache", CACHE), f"{EN}/node.md": None}, day=DAYS[4])
    assert states(folder)["Node"].state == "orphaned"


def test_one_commit_with_both_languages_says_nothing(tmp_path: Path) -> None:
    """The first commit, and a shallow clone, do not show which wording was translated; a later
    change does."""
    folder = tmp_path / "project"
    made = repository(folder)
    files = {f"{EN}/cache.md": term("Cache", CACHE), f"{FR}/cache.md": term("Le cache", CACHE_FR)}
    made.commit(
        {**files, f"{EN}/node.md": term("Node", NODE), f"{FR}/node.md": term("Nœud", NODE_FR)},
        day=DAYS[0],
    )
    made.commit({f"{EN}/node.md": term("Node", f"{NODE} It has a name.")}, day=DAYS[1])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "unknown",
        "Node": "behind",
    }
    made.git("clone", "--quiet", "--depth=1", f"file://{folder}", str(tmp_path / "shallow"))
    (tmp_path / "shallow/site.toml").write_text(SETTINGS, encoding="utf-8")
    assert {one.state for one in states(tmp_path / "shallow").values()} == {"unknown"}


def test_the_order_is_that_of_commits_also_on_one_day_and_on_branches(tmp_path: Path) -> None:
    """Commits of one day are in their order, and those of a merged branch count from their own
    dates."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[0])
    assert states(folder)["Cache"].state == "up-to-date"
    made.git("checkout", "--quiet", "-b", "french")
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, day=DAYS[1])
    made.git("checkout", "--quiet", "main")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[2])
    made.git("merge", "--quiet", "--no-edit", "french", day=DAYS[3])
    assert states(folder)["Cache"].state == "behind"


def test_words_that_a_merge_gave_are_a_change(tmp_path: Path) -> None:
    """A conflict may be resolved with words that neither branch had: the merge is the commit that
    changed them."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[1])
    made.git("checkout", "--quiet", "-b", "french")
    made.commit({f"{FR}/cache.md": term("Le cache", "Un cache.")}, day=DAYS[2])
    made.git("checkout", "--quiet", "main")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[3])
    made.git("merge", "--quiet", "--no-commit", "french")
    merge = made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, day=DAYS[4])
    made.git("branch", "--delete", "french")
    found = states(folder)["Cache"]
    assert found.state == "up-to-date"
    assert found.translated and found.translated.commit == merge


def test_a_translation_that_a_merge_dropped_does_not_count(tmp_path: Path) -> None:
    """A translation that was changed on a branch after its original, but not by the merge of the
    branch, is behind."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    kept = made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[1])
    made.git("checkout", "--quiet", "-b", "french")
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, day=DAYS[3])
    made.git("checkout", "--quiet", "main")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[2])
    made.git("merge", "--quiet", "--no-edit", "--strategy=ours", "french", day=DAYS[4])
    found = states(folder)["Cache"]
    assert found.state == "behind"
    assert found.translated and found.translated.commit == kept


def test_the_command_says_why_there_is_no_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A translation in a repository that cannot be read does not make the site one in one
    language."""
    folder = tmp_path / "project"
    both(folder)
    settings = SETTINGS.replace('language = "fr"', 'language = "fr"\ngit = "../nowhere"')
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(SitegenError, match=r"^\.\./nowhere: no git repository here"):
        sitegen(["translations"], standalone_mode=False)


def test_a_language_without_files_is_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A single missing translation is none, but if no file of a language is found, its `paths` are
    to be corrected."""
    folder = tmp_path / "project"
    both(folder)
    monkeypatch.chdir(folder)
    commit(folder, {f"{FR}/cache.md": None}, DAYS[2])
    assert sitegen(["translations"], standalone_mode=False) == 0
    commit(folder, {f"{FR}/node.md": None}, DAYS[3])
    capsys.readouterr()
    assert sitegen(["translations"], standalone_mode=False) == 1
    assert "no term was read in docs/fr; correct `paths`" in capsys.readouterr().out


def test_the_command_reports_by_term(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`sitegen translations` prints numbers and words, or an object for each pair."""
    folder = tmp_path / "project"
    both(folder)
    id = commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    monkeypatch.chdir(folder)
    assert sitegen(["translations"], standalone_mode=False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "fr: 1 up-to-date, 1 behind"
    assert lines[1] == (
        f"  behind: docs/fr/cache.md:2: “Le cache” for “Cache”: the original was reworded once "
        f"since {id[:10]} of "
        f"{DAYS[2]}; its own words are of {commit_id(folder, 'docs/fr/cache.md')[:10]} of {DAYS[1]}"
    )
    assert lines[2] == "      - results so that they can be used again."
    options = ["--advisory", "--glossary", str(folder)]
    assert sitegen(["translations", "fr", *options], standalone_mode=False) == 0
    capsys.readouterr()
    sitegen(["translations", "--json"], standalone_mode=False)
    node, cache = json.loads(capsys.readouterr().out)
    assert (cache["term"], cache["slug"], cache["language"], cache["name"]) == (
        "Cache",
        "cache",
        "fr",
        "Le cache",
    )
    assert (cache["state"], cache["since"], node["state"], node["since"]) == (
        "behind",
        id,
        "up-to-date",
        None,
    )
    assert cache["original"] == {
        "path": "docs/en/cache.md",
        "line": 2,
        "changed": id,
        "date": str(DAYS[2]),
    }
    assert cache["translation"]["path"] == "docs/fr/cache.md"


def commit_id(folder: Path, path: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "log", "-1", "--format=%H", "--", path],
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


# Random histories.


TERMS = ("cache", "node", "peer")


ACTIONS = ("words", "words", "words", "front", "front", "delete", "move", "back")


class RandomHistory:
    """Two languages whose files are changed at random, and which translations are behind by their
    words alone."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.words: dict[tuple[str, str], int] = {}
        self.front: dict[tuple[str, str], int] = {}
        self.deleted: set[tuple[str, str]] = set()
        self.committed: dict[tuple[str, str], int] = {}
        """The last words in the files, deleted ones too."""
        self.first: dict[str, int] = {}
        """The first commit with a file of each language."""
        self.made_from: dict[str, tuple[int, int]] = {}
        """The words of the original, 0 without one, when the translation's own words were last
        changed; and when."""
        self.folders = {"en": "docs/en", "fr": "docs/fr"}
        self.number = 0

    def text(self, language: str, name: str) -> str:
        # Unlike words, so that no term seems to be renamed.
        random = Random(f"{language} {self.words[language, name]}")
        wording = " ".join(
            "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(12)
        )
        tags = self.front.get((language, name), 0)
        return term(f"{name} {language}", f"*{wording}*" if tags % 2 else wording, tags=str(tags))

    def commits(self) -> Iterator[str]:
        """Yields the commits as input of `git fast-import`."""
        for step in range(self.random.randrange(4, 40)):
            day = int(datetime.combine(DAYS[step // 3], time(12), UTC).timestamp())
            yield f"commit refs/heads/main\ncommitter A <a@example.org> {day} +0000\ndata 1\nx\n"
            changed = {self.change() for _ in range(self.random.choice((1, 1, 1, 2, 4)))}
            if self.random.random() < 0.05 and self.folders["fr"] == "docs/fr":
                yield "D docs/fr\n"
                self.folders["fr"] = "docs/fr-FR"
                changed |= {one for one in self.words if one[0] == "fr"}
            for language, name in sorted(changed):
                path = f"{self.folders[language]}/{name}.md"
                if (language, name) in self.deleted:
                    yield f"D {path}\n"
                    continue
                data, words = self.text(language, name), self.words[language, name]
                yield f"M 100644 inline {path}\ndata {len(data.encode())}\n{data}\n"
                # Sorted: the original's words in this commit are known before the translation's.
                if language == "fr" and words != self.committed.get((language, name)):
                    self.made_from[name] = (self.committed.get(("en", name), 0), step)
                self.committed[language, name] = words
                self.first.setdefault(language, step)

    def change(self) -> tuple[str, str]:
        language, name = one = self.random.choice(("en", "fr")), self.random.choice(TERMS)
        action = self.random.choice(ACTIONS)
        is_new = one not in self.words
        if not is_new and action == "delete":
            self.deleted.add(one)
            return one
        self.deleted.discard(one)
        if is_new or action == "words":
            self.number += 1
            self.words[one] = self.number
        elif action == "back":
            self.words[one] = max(1, self.words[one] - 1)
        else:
            self.front[one] = self.front.get(one, 0) + 1
        return language, name

    def expected(self) -> dict[str, set[str]]:
        """Returns the states that are right for each pair."""
        states = {}
        for name, (words, step) in self.made_from.items():
            if ("fr", name) not in self.deleted and (
                "en",
                name,
            ) in self.words.keys() - self.deleted:
                is_known = words and step not in self.first.values()
                current = {"up-to-date"} if is_known else {"up-to-date", "unknown"}
                is_behind = words and words != self.words["en", name]
                states[f"{name} en"] = (
                    {"behind"} if is_behind else current if words else {"unknown"}
                )
        return states


@pytest.mark.soak
def test_random_histories_have_no_false_and_no_missed_behind(tmp_path: Path) -> None:
    """A pair is behind if and only if the words of its original were changed after the
    translation's own words."""
    count = {"behind": 0, "up-to-date": 0}
    for seed in seeds(test=10, soak=60):
        history = RandomHistory(seed)
        made = repository(
            tmp_path / f"project-{seed}", SETTINGS.replace('"docs/fr"', '"docs/fr-FR", "docs/fr"')
        )
        made.git("fast-import", "--quiet", given="".join(history.commits()).encode())
        expected = history.expected()
        found = states(made.path) if expected else {}
        for name, right in expected.items():
            state = found[name].state
            assert state in right, f"history {seed}: {name} is {state}, not {right}"
            count[state] = count.get(state, 0) + 1
    assert count["behind"] and count["up-to-date"], count
