"""Options of engines that users may set, checked before an engine is opened.

Packages check little: python-sat ignores unknown options of CaDiCaL and clamps values silently.
"""

from __future__ import annotations

from collections.abc import Mapping

from nonosat.core.errors import UnsupportedError, meant, shown

# Least and greatest value, whole if both are `int`; or all values.
Domain = tuple[int, int] | tuple[float, float] | tuple[str, ...]
Value = int | float | str


def checked(
    engine: str, options: Mapping[str, str], domains: Mapping[str, Domain]
) -> dict[str, Value]:
    """Return the values of options.

    Args:
        engine: Name of the engine, for messages.
        options: Values as text, by name.
        domains: All options of the engine.

    Raises:
        UnsupportedError: There is no such option, or the value is not in its domain.
    """
    return {name: _value(engine, name, text, domains) for name, text in options.items()}


def _value(engine: str, name: str, text: str, domains: Mapping[str, Domain]) -> Value:
    if name not in domains:
        raise UnsupportedError(
            f"{engine} has no option {shown(name)}{meant(name, domains)}; it has: "
            f"{', '.join(sorted(domains))}"
        )
    domain = domains[name]
    first, last = domain[0], domain[-1]
    if isinstance(first, str):
        if text in domain:
            return text
        expected = f"one of {', '.join(map(str, domain))}"
    else:
        kind = type(first)
        try:
            if first <= (value := kind(text)) <= last:  # type: ignore[operator]  # of one type
                return value
        except ValueError:
            pass
        expected = f"{'a whole number' if kind is int else 'a number'} from {first} to {last}"
    raise UnsupportedError(f"option {name!r} of {engine} is {shown(text)}, expected {expected}")
