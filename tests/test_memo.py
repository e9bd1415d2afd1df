"""The memo: results of pure functions are computed once, and kept in a store between builds."""

from __future__ import annotations

import pytest

from sitegen.text import memo
from sitegen.text.memo import Codec, Results


class DictRoom(dict[bytes, bytes]):
    put = dict.__setitem__


class DictStore(dict[str, DictRoom]):
    def __call__(self, name: str) -> DictRoom:
        return self.setdefault(name, DictRoom())


CODEC = Codec(room="test-words", dump=lambda text: str(text).encode(), load=lambda data: data.decode())
asked: list[str] = []


@memo.memo(codec=CODEC)
def shouted(word: str, mark: str) -> str:
    """Returns a word in capitals."""
    asked.append(word)
    return word.upper() + mark


@memo.memo()
def first_word(text: str, *, fallback: str = "") -> str | None:
    """Returns the first word of a text."""
    asked.append(text)
    return (text.split() or [fallback])[0] or None


@pytest.fixture(autouse=True)
def _no_results() -> None:
    memo.clear()
    asked.clear()


def test_a_result_is_computed_once() -> None:
    """The same arguments give the same object, None included, without another call of the function."""
    assert shouted("a", "!") is shouted("a", "!") == "A!"
    assert first_word("") is first_word("") is None
    assert first_word("", fallback="x") == first_word("", fallback="x") == "x"
    assert asked == ["a", "", ""]
    assert shouted.__doc__ == "Returns a word in capitals."


def test_a_store_keeps_results_for_the_next_build() -> None:
    """Results with a codec are taken from the store in which an earlier build has put them."""
    store = DictStore()
    with memo.store_open(store):
        assert shouted("a", "!") == "A!"
    with memo.store_open(store):
        assert shouted("a", "!") is shouted("a", "!") == "A!"
    assert asked == ["a"]
    assert shouted("a", "!") == "A!"
    assert asked == ["a", "a"]


def test_a_result_that_cannot_be_loaded_is_computed_again() -> None:
    """A codec that loads None from the store has the function called."""
    store = DictStore()
    lost: Results[str] = Results(Codec(room="test-lost", dump=str.encode, load=lambda _: None))
    with memo.store_open(store):
        lost.put("A", "a")
    with memo.store_open(store):
        assert lost.get("a") is None


def test_results_made_together_are_kept_one_by_one() -> None:
    """Results that were put are found by their arguments, and in the store by their key."""
    store, made_together = DictStore(), Results(CODEC)
    with memo.store_open(store):
        assert made_together.get("a") is None
        made_together.put("1", "a")
        (key,) = store["test-words"]
        assert (made_together.get("a"), made_together.at(key), made_together.at(b"")) == ("1", "1", None)


def test_results_of_old_arguments_are_evicted() -> None:
    """Only results that have an argument that is over are computed again."""
    shouted("a", "!"), shouted("b", "!")
    memo.forget(lambda argument: argument == "a")
    shouted("a", "!"), shouted("b", "!")
    assert asked == ["a", "b", "a"]
