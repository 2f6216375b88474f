"""What every record is made of: frozen data, given by keyword and checked."""

from __future__ import annotations

import collections.abc
from dataclasses import MISSING, Field, dataclass, field, fields, replace
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


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Record:
    """Frozen dataclass, given by keyword and checked: TypeError says what is missing or wrong.

    The methods are here, once for all kinds: those that `dataclass` generates for each kind
    would add 10 % to the instructions of a start.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
        _CHECKED[cls.__name__] = cls

    def __init__(self, **given: Any) -> None:
        kind, known = type(self).__name__, self.__dataclass_fields__
        for name, one in known.items():
            if name in given:
                if not _fits(given[name], str(one.type)):
                    raise TypeError(f"{kind} has {name}={given[name]!r}, expected {one.type}")
            elif one.default_factory is not MISSING:
                given[name] = one.default_factory()
            elif one.default is not MISSING:
                given[name] = one.default
            else:
                raise TypeError(f"{kind} lacks {name}, expected {one.type}")
        if unknown := given.keys() - known.keys():
            raise TypeError(f"{kind} has no field {min(unknown)!r}, expected of {', '.join(known)}")
        vars(self).update(given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen, {name} cannot be set")

    @classmethod
    def signature(cls) -> str:
        """The fields that are not optional, as a call names them."""
        required = [one for one in fields(cls) if one.default is one.default_factory is MISSING]
        return ", ".join(f"{one.name}=..." for one in required)

    def replaced(self, **changes: Any) -> Self:
        """The same record with other values in some fields."""
        return replace(self, **changes)


def _fits(value: object, expected: str) -> bool:
    """Whether a value has the type that an annotation names, as far as a look at it tells."""
    if expected.endswith(" | None"):
        return value is None or _fits(value, expected.removesuffix(" | None"))
    name = expected.partition("[")[0]
    if name in ("Callable", "Method"):
        return callable(value)
    return isinstance(value, _CHECKED[name])
