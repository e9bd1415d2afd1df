"""Memoizes pure functions, in memory and on disk.

Most texts of a glossary are the same in every release, and in most builds. A function decorated with `memo()`
computes its result once per process for the same arguments. With a codec, the result is also kept between builds, in
the store that the build has opened (`store_open`). Its key is a digest of the arguments.

Memoized functions must be pure: their result depends only on their arguments and on the program. So a result never
becomes invalid; each version of the program, its libraries and Python has its own store. `forget` only frees memory.
All state is in this module: the results of this process, and the open store.

Measured gain with 1,000 terms at 10 releases of reStructuredText: a first build takes 3.1 s of CPU instead of 4.1 s,
a build after one edit 1.6 s instead of 3.0 s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, ClassVar, Generic, ParamSpec, Protocol, TypeVar, overload

from sitegen.model import digest_of

P = ParamSpec("P")
Result = TypeVar("Result")


class StoreTable(Protocol):
    """A table of the store: the results of one codec."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


Store = Callable[[str], StoreTable]
"""Returns the table with a given name."""


def digest_of_arguments(*arguments: Any) -> bytes:
    """Returns a digest of plain values: strings, numbers, and tuples of these."""
    return digest_of(arguments)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codec(Generic[Result]):
    """Converts results to bytes for the store, and back."""

    table: str
    """The name of the table in the store: an identifier that is unique among codecs."""
    dump: Callable[[Result], bytes]
    load: Callable[[bytes], Result | None]
    """Returns None if the result refers to results that the store no longer has; it is then computed again."""
    key: Callable[..., bytes] = digest_of_arguments
    """Returns the key of a result, given the arguments."""

    def __post_init__(self) -> None:
        assert self.table.isidentifier(), "the name of a table is that of a file"


class Results(Generic[Result]):
    """A cache of results by arguments: in memory and, with a codec, in the open store.

    Use it for results that are computed in batches; for others, use `memo`.
    """

    caches: ClassVar[list[Results[Any]]] = []
    """All caches of this process."""
    store: ClassVar[Store | None] = None
    """The open store."""

    def __init__(self, codec: Codec[Result] | None = None) -> None:
        self._codec = codec
        self._by_arguments: dict[tuple[Hashable, ...], Result] = {}
        self._by_key: dict[bytes, Result] = {}
        """Results that are in the store, by key, so that each key has only one object in memory."""
        Results.caches.append(self)

    def get(self, *arguments: Hashable) -> Result | None:
        """Returns the cached result for these arguments; None if there is none."""
        result = self._by_arguments.get(arguments)
        if result is None and self._codec and Results.store is not None:
            result = self.at(self._codec.key(*arguments))
            if result is not None:
                self._by_arguments[arguments] = result
        return result

    def put(self, result: Result, *arguments: Hashable) -> None:
        """Caches the result for these arguments. None is not stored on disk."""
        self._by_arguments[arguments] = result
        if result is not None and self._codec and Results.store is not None:
            key = self._codec.key(*arguments)
            self._by_key[key] = result
            Results.store(self._codec.table).put(key, self._codec.dump(result))

    def at(self, key: bytes) -> Result | None:
        """Returns the result with this key in the open store; None if there is none."""
        result = self._by_key.get(key)
        if result is None and self._codec and Results.store is not None:
            data = Results.store(self._codec.table).get(key)
            result = None if data is None else self._codec.load(data)
            if result is not None:
                self._by_key[key] = result
        return result

    def forget(self, is_over: Callable[[Hashable], bool]) -> None:
        """Evicts the results in memory that have an argument for which `is_over` is true."""
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
        key = (*arguments, *named.items()) if named else arguments
        try:  # a single lookup, because each lookup compares long texts
            return self._by_arguments[key]
        except KeyError:
            result = None if named else self.get(*arguments)
        if result is None:
            result = self._function(*arguments, **named)
            self.put(result, *key)
        return result


@overload
def memo() -> Callable[[Callable[P, Result]], Memo[P, Result]]: ...
@overload
def memo(codec: Codec[Result]) -> Callable[[Callable[P, Result]], Memo[P, Result]]: ...
def memo(codec: Any = None) -> Any:
    """Returns a decorator that memoizes a pure function of hashable arguments.

    Call a function with a codec with positional arguments only: results of other calls are not read from the store.
    """
    return partial(Memo, codec=codec)


@contextmanager
def store_open(store: Store) -> Iterator[None]:
    """Reads results from a store, and writes them to it, until the end of the block.

    Clears the results in memory at the start and at the end, so that the store sees which results a build uses.
    """
    Results.store = store
    clear()
    try:
        yield
    finally:
        Results.store = None
        clear()


def forget(is_over: Callable[[Hashable], bool]) -> None:
    """Evicts the results that have an argument for which `is_over` is true. Other threads may run concurrently."""
    for results in Results.caches:
        results.forget(is_over)


def clear() -> None:
    """Evicts all results in memory."""
    for results in Results.caches:
        results.clear()
