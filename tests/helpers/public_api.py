"""The public interface as text: names, signatures, fields, properties and methods.

    python tests/helpers/public_api.py >tests/data/public_api.txt

records it. A line that changes or disappears belongs in CHANGELOG.md.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import nonosat
from nonosat import model, plugins, testing


def signature_of(function: Any) -> str:
    """Return names, kinds and defaults of parameters, without the instance.

    Annotations are left out: versions of Python print them differently.
    """
    try:
        signature = inspect.signature(function)
    except ValueError:  # of a class in C
        return "(...)"
    parameters = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in signature.parameters.values()
        if each.name not in ("self", "cls")
    ]
    return str(inspect.Signature(parameters))


def lines_of_class(name: str, thing: type) -> Iterator[str]:
    """Yield a line for a class, and one for each public attribute that it promises."""
    bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
    yield f"class {name}({bases})" if bases else f"class {name}"
    if issubclass(thing, enum.Enum):
        yield from (f"    {member.name} = {member.value!r}" for member in thing)
    elif {"__init__", "__new__"} & vars(thing).keys() and not getattr(thing, "_is_protocol", False):
        yield f"    {signature_of(thing)}"
    own = [base for base in thing.__mro__ if base.__module__.startswith("nonosat")]
    fields = set(getattr(thing, "__dataclass_fields__", ()))  # those without a default as well
    for attribute in sorted(fields.union(*map(vars, own))):
        if attribute.startswith("_") or attribute in getattr(thing, "__members__", ()):
            continue
        found = inspect.getattr_static(thing, attribute, None)
        if isinstance(found, classmethod | staticmethod):
            yield f"    {attribute}{signature_of(found.__func__)}"
        elif inspect.isfunction(found):
            yield f"    {attribute}{signature_of(found)}"
        else:
            yield f"    {attribute}"


def lines_of(module: ModuleType) -> Iterator[str]:
    """Yield the lines of a promised module."""
    for name in sorted(module.__all__):
        thing, full = getattr(module, name), f"{module.__name__}.{name}"
        if inspect.isclass(thing):
            yield from lines_of_class(full, thing)
        elif callable(thing) and not isinstance(thing, ModuleType):
            yield f"{full}{signature_of(thing)}"
        else:
            yield full


def public_api() -> str:
    """Return the public interface of all promised modules."""
    modules = (nonosat, plugins, model, testing)
    return "".join(f"{line}\n" for module in modules for line in lines_of(module))


if __name__ == "__main__":
    print(public_api(), end="")
