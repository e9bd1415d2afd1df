"""The release that added each phrase of a definition."""

from __future__ import annotations

from itertools import pairwise

from glossaries import from_text
from hypothesis import given
from hypothesis import strategies as st

from sitegen.history.phrase_origins import origins, phrases
from sitegen.text.words import words_of

WORDS = "a pointer to the named state of one whole volume at some moment in time".split()

texts = st.lists(
    st.sampled_from(["the", "state", "of", "volume", "is.", "(kept)", "C++", "well-known"]),
    max_size=12,
)


def reported(*wordings: str) -> list[str]:
    return [
        f"{phrase.wording}: {phrase.text}"
        for phrase in phrases([from_text(text) for text in wordings])
    ]


def test_words_keep_the_wording_they_came_in_with() -> None:
    """Unchanged words keep their release, and new words have the new one."""
    assert reported(
        "A fixed pointer to the state of a volume.",
        "A named pointer to the state of a volume.",
        "A named pointer to the state of a volume at one moment.",
    ) == ["0: A ", "1: named ", "0: pointer to the state of a volume ", "2: at one moment."]


def test_words_that_went_and_came_back_are_new() -> None:
    """Only the last unbroken run counts."""
    three = (
        "A pointer to the state, once taken.",
        "A pointer to the state.",
        "A pointer to the state, once taken.",
    )
    assert reported(*three) == ["0: A pointer to the state, ", "2: once taken."]


def test_a_word_or_two_that_happened_to_stay_are_no_phrase() -> None:
    """A few small words that stayed in a rewritten sentence are not separate phrases."""
    before, after = (
        "Whatever a system remembers of it.",
        "The frozen state of a volume, taken whole.",
    )
    assert reported(before, after) == [f"1: {after}"]
    three = "It knows the whole.", "Some thing of the kind.", "Some thing of the other kind."
    assert reported(*three) == ["1: Some thing of the ", "2: other ", "1: kind."]


def test_one_wording_is_one_phrase() -> None:
    """A definition that never changed is one phrase."""
    assert reported("A pointer, and no more.") == ["0: A pointer, and no more."]


@given(st.lists(texts, min_size=1, max_size=5))
def test_phrases_make_up_the_definition(wordings: list[list[str]]) -> None:
    """Joined, the phrases are the text of the last wording, and neighbors have different
    releases."""
    read = [from_text(" ".join(words)) for words in wordings]
    found = phrases(read)
    assert "".join(phrase.text for phrase in found) == (
        read[-1].text if words_of(read[-1]).keys else ""
    )
    ages = [phrase.wording for phrase in found]
    assert all(one != two for one, two in pairwise(ages))


@given(st.lists(st.sets(st.integers(0, len(WORDS) - 1), min_size=1), min_size=1, max_size=6))
def test_a_word_is_as_old_as_its_last_unbroken_run(kept: list[set[int]]) -> None:
    """A word that occurs once has the first wording of its last unbroken run."""
    wordings = [
        from_text(" ".join(WORDS[number] for number in sorted(numbers))) for numbers in kept
    ]
    expected = [
        next(age for age in range(len(kept)) if all(word in numbers for numbers in kept[age:]))
        for word in sorted(kept[-1])
    ]
    assert list(origins(wordings)) == expected


@given(st.lists(texts, min_size=1, max_size=5))
def test_words_stood_in_every_wording_since(wordings: list[list[str]]) -> None:
    """The words of a release occur, in order, in each wording from that release on."""
    read = [from_text(" ".join(words)) for words in wordings]
    ages = origins(read)
    for number, wording in enumerate(read):
        old = [
            word for word, age in zip(words_of(read[-1]).keys, ages, strict=True) if age <= number
        ]
        there = iter(words_of(wording).keys)
        assert all(word in there for word in old)
