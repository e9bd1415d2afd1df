"""The memo: results of pure functions, kept by their arguments.

A glossary says most things in the same words at every release, and in most builds. A function decorated with `memo()`
computes its result once for the same arguments in this process. With a codec, the result is also kept between builds,
in the store that the build has opened (`store_open`), by a digest of the arguments.

Functions with a memo are pure: their result depends on their arguments and on the program alone. So a result never
becomes invalid; another version of the program, of a library or of Python has another store. `forget` only frees
memory. All state is in this module: results of this process, and the open store.

Measured gain with 1,000 terms at 10 releases of reStructuredText: a first build takes 4.5 s of CPU instead of 6.1 s,
a build after one edit 1.2 s instead of 3.1 s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, overload

from sitegen.model.digests import digest_of

P = ParamSpec("P")
Result = TypeVar("Result")


class Room(Protocol):
    """A part of the store, for the results of one kind."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


Store = Callable[[str], Room]
"""Returns the room with a name."""


def digest_of_arguments(*arguments: Any) -> bytes:
    """Returns a digest of plain values: texts, numbers, tuples of these."""
    return digest_of(arguments)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codec(Generic[Result]):
    """How results are kept on disk."""

    room: str
    """Name of the part of the store, an identifier that no other codec has."""
    dump: Callable[[Result], bytes]
    load: Callable[[bytes], Result | None]
    """Returns None if the result refers to others that the store no longer has; it is then computed again."""
    key: Callable[..., bytes] = digest_of_arguments
    """Returns the key of a result from the arguments."""

    def __post_init__(self) -> None:
        assert self.room.isidentifier(), "a room is a table of the store"


class _State:
    def __init__(self) -> None:
        self.store: Store | None = None
        self.results: list[Results[Any]] = []


_STATE = _State()


class Results(Generic[Result]):
    """Results by their arguments: in memory, and with a codec in the open store.

    This is for results that are computed several at a time; for others there is `memo`.
    """

    def __init__(self, codec: Codec[Result] | None = None) -> None:
        self._codec = codec
        self._by_arguments: dict[tuple[Hashable, ...], Result] = {}
        self._by_key: dict[bytes, Result] = {}
        """Results that are in the store, so that equal ones are the same object, however they were asked for."""
        _STATE.results.append(self)

    def get(self, *arguments: Hashable) -> Result | None:
        """Returns the result for some arguments; None if there is none yet."""
        result = self._by_arguments.get(arguments)
        if result is None and self._codec and _STATE.store is not None:
            result = self.at(self._codec.key(*arguments))
            if result is not None:
                self._by_arguments[arguments] = result
        return result

    def put(self, result: Result, *arguments: Hashable) -> None:
        """Keeps the result for some arguments. None is not kept on disk."""
        self._by_arguments[arguments] = result
        if result is not None and self._codec and _STATE.store is not None:
            key = self._codec.key(*arguments)
            self._by_key[key] = result
            _STATE.store(self._codec.room).put(key, self._codec.dump(result))

    def at(self, key: bytes) -> Result | None:
        """Returns the result that the open store has by a key; None if it has none."""
        result = self._by_key.get(key)
        if result is None and self._codec and _STATE.store is not None:
            data = _STATE.store(self._codec.room).get(key)
            result = None if data is None else self._codec.load(data)
            if result is not None:
                self._by_key[key] = result
        return result

    def forget(self, is_over: Callable[[Hashable], bool]) -> None:
        for arguments in [*self._by_arguments]:
            if any(map(is_over, arguments)):
                self._by_arguments.pop(arguments, None)

    def clear(self) -> None:
        self._by_arguments.clear()
        self._by_key.clear()


class Memo(Results[Result], Generic[P, Result]):
    """A function that computes its result once for the same arguments."""

    def __init__(self, function: Callable[P, Result], codec: Codec[Result] | None = None) -> None:
        super().__init__(codec)
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> Result:
        asked = (*arguments, *named.items()) if named else arguments
        if asked in self._by_arguments:
            return self._by_arguments[asked]
        result = None if named else self.get(*arguments)
        if result is None:
            result = self._function(*arguments, **named)
            self.put(result, *asked)
        return result


@overload
def memo() -> Callable[[Callable[P, Result]], Memo[P, Result]]: ...
@overload
def memo(codec: Codec[Result]) -> Callable[[Callable[P, Result]], Memo[P, Result]]: ...
def memo(codec: Any = None) -> Any:
    """Returns a decorator for pure functions of hashable arguments: results are kept.

    A function with a codec takes its arguments by position.
    """
    return partial(Memo, codec=codec)


@contextmanager
def store_open(store: Store) -> Iterator[None]:
    """Keeps results in a store, until the end of the block, and takes them from there.

    Begins and ends without results in memory: what a build uses is asked of its own store, so the store knows it.
    """
    _STATE.store = store
    clear()
    try:
        yield
    finally:
        _STATE.store = None
        clear()


def forget(is_over: Callable[[Hashable], bool]) -> None:
    """Evicts the results that have an argument for which `is_over` is true. Other threads may go on meanwhile."""
    for results in _STATE.results:
        results.forget(is_over)


def clear() -> None:
    """Evicts all results in memory."""
    for results in _STATE.results:
        results.clear()
