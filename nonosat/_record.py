"""What every record is made of: frozen data, given by keyword and checked."""

from __future__ import annotations

import collections.abc
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

from nonosat._words import SizeFormula, Strength

_CHECKED: dict[str, type] = {
    "str": str,
    "bool": bool,
    "int": int,
    "tuple": tuple,
    "frozenset": frozenset,
    "Mapping": collections.abc.Mapping,
    "Strength": Strength,
    "SizeFormula": SizeFormula,
}  # records are there by themselves


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Frozen data, given by keyword and checked: TypeError says what is missing or wrong.

    Like a dataclass, which would add 0.5 ms to each start for each kind of record.
    """

    _types: ClassVar[dict[str, str]] = {}
    _defaults: ClassVar[dict[str, object]] = {}

    def __init_subclass__(cls) -> None:
        _CHECKED[cls.__name__] = cls
        names = vars(cls).get("__annotations__", {})
        cls._types = {**cls._types, **names}
        cls._defaults = {
            **cls._defaults,
            **{name: value for name, value in vars(cls).items() if name in names},
        }

    def __init__(self, **given: object) -> None:
        kind = type(self).__name__
        for name, expected in self._types.items():
            if name in given and not _fits(given[name], expected):
                raise TypeError(f"{kind} has {name}={given[name]!r}, expected {expected}")
            if name not in given and name not in self._defaults:
                raise TypeError(f"{kind} lacks {name}, expected {expected}")
        if unknown := given.keys() - self._types.keys():
            known = ", ".join(self._types)
            raise TypeError(f"{kind} has no field {min(unknown)!r}, expected of {known}")
        vars(self).update(self._defaults, **given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen, {name} cannot be set")

    @classmethod
    def signature(cls) -> str:
        """The fields that are not optional, as a call names them."""
        return ", ".join(f"{name}=..." for name in cls._types if name not in cls._defaults)

    def replaced(self, **changes: Any) -> Self:
        """The same record with other values in some fields."""
        return type(self)(**{**vars(self), **changes})


def _fits(value: object, expected: str) -> bool:
    """Whether a value has the type that an annotation names, as far as a look at it tells."""
    if expected.endswith(" | None"):
        return value is None or _fits(value, expected.removesuffix(" | None"))
    name = expected.partition("[")[0]
    if name in ("Callable", "Method"):
        return callable(value)
    return isinstance(value, _CHECKED[name])
