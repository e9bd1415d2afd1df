"""Texts that were read before: what was made of one is not made again.

A glossary says most things in the same words at every release. Whoever makes something of a text, and of nothing
else, asks here first, and gives all that the outcome depends on. So a reading with a memory and one without come to
the same; only the time differs. What has a form in which it can be written down may be kept from one time to another.
The same goes for terms in a process that stays: what is made of `each`, `by` keys, or of several things that are all
`still` the same is known until the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, islice, repeat
from operator import eq, is_not, not_
from typing import Any, Generic, Protocol, TypeVar

from sitegen.text import memo

Given = TypeVar("Given", bound=Hashable)
Made = TypeVar("Made")
Key = TypeVar("Key", bound=Hashable)

UNKNOWN = object()
"""Told from None, which may well be what was made."""


class Kept(Protocol):
    """Where what was made is kept, by keys that tell from what."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Form(Generic[Given, Made]):
    """How what is made of something is written down."""

    room: str
    """Where that is kept, apart from what has another form."""
    key: Callable[[Given], bytes]
    """What tells it from anything else of which something is made."""
    dump: Callable[[Made, Known], bytes]
    load: Callable[[bytes, Known], Made | None]
    """None where what it leads on to is not there."""


class Known:
    """What was made of texts, and of whatever else decides what is made of them."""

    def __init__(self, kept: Callable[[str], Kept] | None = None) -> None:
        self._kept = kept
        """Where what has a form is kept, by its room."""
        self._shelves: dict[Callable[..., Any], _Shelf[Any, Any]] = {}
        self._by_key: dict[Form[Any, Any], dict[bytes, Any]] = {}
        self._keys: dict[Form[Any, Any], dict[int, bytes]] = {}
        self._each: dict[Callable[..., Any], tuple[Sequence[Any], list[Any]]] = {}
        """Several of the last time, and what was made of each."""
        self._by: dict[Callable[..., Any], tuple[Mapping[Any, Any], Mapping[Any, Any]]] = {}
        """What was given by keys the last time, and what was made of it."""
        self._still: dict[Callable[..., Any], tuple[tuple[Any, ...], Any]] = {}
        """What was given as a whole the last time, and what was made of it."""
        self._last: dict[type, dict[Any, Any]] = {}
        """The values of each kind that were met the last time, each by itself."""

    def of(self, make: Callable[[Given, Known], Made], form: Form[Given, Made] | None = None) -> Mapping[Given, Made]:
        """Returns what `make` makes, by what it is given: made when it is first asked for, the same from then on.

        What it makes may depend on what it is given alone. What has a `form` is kept.
        """
        if make not in self._shelves:
            self._shelves[make] = _Shelf(make, self, form if self._kept is not None else None)
        return self._shelves[make]

    def forget(self, is_over: Callable[[Hashable], bool]) -> None:
        """Lets go of what was made of anything that is over. Something else may be made meanwhile."""
        for shelf in [*self._shelves.values()]:
            for given in [given for given in [*shelf] if is_over(given)]:
                del shelf[given]

    def each(
        self,
        make: Callable[[Given, Known], Made],
        several: Sequence[Given],
        *,
        by: Callable[[Given], Hashable] | None = None,
    ) -> list[Made]:
        """Returns what `make` makes of each, and lets go of what it made of anything else.

        Where all that this depends on is what `by` says of each, that decides whether it is known.
        """
        last, made = self._each.get(make, ((), []))
        told: Sequence[Hashable] = [*map(by, several)] if by else several
        # Most are the objects of the last time, in the same order; to ask whether others are equal takes longer.
        first = _alike(told, last)
        end = min(_alike(reversed(told), reversed(last)), len(told) - first, len(last) - first)
        there = dict(zip(last[first : len(last) - end], made[first : len(last) - end], strict=True))
        past = len(told) - end
        between = [
            make(given, self) if (known := there.get(one, UNKNOWN)) is UNKNOWN else known
            for given, one in zip(several[first:past], told[first:past], strict=True)
        ]
        made = [*made[:first], *between, *made[len(last) - end :]]
        self._each[make] = told, made
        return made

    def by(self, make: Callable[[Given, Known], Made], given: Mapping[Key, Given]) -> Mapping[Key, Made]:
        """Returns what `make` makes of what is given by each key; where that is what it was, what it made then.

        What is given are tuples: these are compared quickly, where they are of the same objects.
        """
        last, made = self._by.get(make, ({}, {}))
        same = [*map(eq, given.values(), map(last.get, given, repeat(UNKNOWN)))]
        if [*given] == [*last]:
            others = compress(given, map(not_, same))
            made = {**made, **{key: make(given[key], self) for key in others}}
        else:
            made = {
                key: made[key] if is_same else make(given[key], self)
                for key, is_same in zip(given, same, strict=True)
            }
        self._by[make] = given, made
        return made

    def still(self, make: Callable[..., Made], *given: Any) -> Made:
        """Returns what `make` makes of what is given; where all of that is what it was, what it made then."""
        last = self._still.get(make)
        if last is None or last[0] != given:
            last = self._still[make] = given, make(*given)
        made: Made = last[1]
        return made

    def again(self, kind: type[Given], values: Iterable[Given]) -> tuple[Given, ...]:
        """Returns values of a kind: where one is equal to one of the last time, that very object.

        So what has stayed the same is told by identity, and what is made of it is not made again.
        """
        last = self._last.get(kind, {})
        again = tuple([last.get(value, value) for value in values])
        self._last[kind] = dict(zip(again, again, strict=True))
        return again

    def at(self, key: bytes, form: Form[Any, Made]) -> Made | None:
        """Returns what is kept by a key; None when nothing is."""
        there: dict[bytes, Made] = self.kept(form)
        if key not in there:
            data = self._kept(form.room).get(key) if self._kept is not None else None
            made = None if data is None else form.load(data, self)
            if made is None:
                return None
            there[key] = made
        return there[key]

    def every(self, keys: Sequence[bytes], form: Form[Any, Made]) -> list[Made] | None:
        """Returns what is kept by each of some keys; None when anything is not there."""
        there: dict[bytes, Made] = self.kept(form)
        if any(self.at(key, form) is None for key in keys if key not in there):
            return None
        return [*map(there.__getitem__, keys)]

    def keep(self, key: bytes, made: Made, form: Form[Any, Made]) -> None:
        """Keeps something by its key."""
        self.kept(form)[key] = made
        if self._kept is not None:
            self._kept(form.room).put(key, form.dump(made, self))

    def keys(self, form: Form[Any, Made], part: Callable[[Made], object]) -> Mapping[int, bytes]:
        """Returns the keys of what was met, by the identity of a part of it that nothing else has."""
        there, keys = self.kept(form), self._keys.setdefault(form, {})
        new = islice(reversed(there.items()), len(there) - len(keys))
        keys.update((id(part(made)), key) for key, made in new)
        return keys

    def kept(self, form: Form[Any, Made]) -> dict[bytes, Made]:
        """Returns what was met of what is kept in a form, by its keys."""
        return self._by_key.setdefault(form, {})


def _alike(several: Iterable[object], others: Iterable[object]) -> int:
    """How many are the same objects, up to the first that is not."""
    number = -1
    for number, differs in enumerate(map(is_not, several, others)):
        if differs:
            return number
    return number + 1


class _Shelf(dict[Given, Made]):
    def __init__(self, make: Callable[[Given, Known], Made], known: Known, form: Form[Given, Made] | None) -> None:
        super().__init__()
        self._make = make
        self._known = known
        self._form = form

    def __missing__(self, given: Given) -> Made:
        self[given] = made = self._kept(given, self._form) if self._form else self._make(given, self._known)
        return made

    def _kept(self, given: Given, form: Form[Given, Made]) -> Made:
        key = form.key(given)
        made = self._known.at(key, form)
        if made is None:
            made = self._make(given, self._known)
            self._known.keep(key, made, form)
        return made


class _Shared(Known):
    """What formats know that have no memo yet."""

    def forget(self, is_over: Callable[[Hashable], bool]) -> None:
        super().forget(lambda given: any(map(is_over, given if isinstance(given, tuple) else (given,))))

    def clear(self) -> None:
        self.__init__(memo._STATE.store)  # type: ignore[misc]


SHARED = _Shared()
memo._STATE.results.append(SHARED)  # type: ignore[arg-type]
