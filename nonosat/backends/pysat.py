"""Engines of python-sat: conflict-driven clause learning, incremental, clauses only.

Each row of the table below was found by running the engine: thousands of small formulas with
changing assumptions against enumeration, and hard ones interrupted. Engines that release Python's
lock and can be interrupted run in this process. CaDiCaL, Kissat and Lingeling do neither; Glucose
checks for interruption only when it restarts (up to 10 s late on random formulas), Maple and its
relatives do not check during learnt clause minimisation (1 s late on 300 000 variables). Left out:
maplesat, which crashed and whose proofs hold wrong literals; cryptominisat5, which needs another
package and whose limited solving fails. Source: A. Ignatiev, A. Morgado, J. Marques-Silva, PySAT,
SAT 2018.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from nonosat.clauses.cnf import chunks, split
from nonosat.clauses.counts import counted
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError, meant, shown
from nonosat.core.limits import Watch
from nonosat.core.model import Constraint, Count
from nonosat.core.plugins import Answer, Backend, Engine

# Phases for engines that have none: the signs of variables are flipped in input and output.
#
# An engine with one default phase for all variables uses the requested phases if each variable with
# the other requested phase is flipped. Flipping is its own inverse, so one mapping serves both
# directions. Linear in the renamed literals.


class Renaming:
    """Negation of some variables, by which an engine without phases follows requested ones.

    An engine first tries its default phase. If the other phase of a variable is requested, the
    variable is replaced by its negation in everything that the engine receives and returns.

    Args:
        lits: Requested phases.
        phase: Default phase of the engine, for every variable.
    """

    def __init__(self, lits: Sequence[int] = (), phase: bool = True) -> None:
        self._flipped = {abs(lit) for lit in lits if (lit > 0) != phase}

    def lits(self, lits: Iterable[int]) -> list[int]:
        flipped = self._flipped
        return [-lit if abs(lit) in flipped else lit for lit in lits]

    def batch(self, clauses: array[int], num_vars: int) -> array[int]:
        """Return clauses over the variables 1 .. num_vars with renamed literals."""
        if not self._flipped:
            return clauses
        # table[lit] is the renamed literal: negative ones count from the table's end.
        positive = self.lits(range(1, num_vars + 1))
        table = [0, *positive, *(-lit for lit in reversed(positive))]
        return array("i", map(table.__getitem__, clauses))

    def values(self, values: bytes) -> bytes:
        """Return the engine's values, a byte a variable, flipped for renamed variables."""
        renamed = bytearray(values)
        for var in self._flipped if values else ():
            renamed[var] ^= 1
        return bytes(renamed)

    def proof(self, text: bytes) -> bytes:
        """Return a DRAT proof in text with renamed literals."""
        if not self._flipped:
            return text
        lines = (
            " ".join(word if word == "d" else str(*self.lits([int(word)])) for word in words)
            for words in map(str.split, text.decode().splitlines())
        )
        return "".join(f"{line}\n" for line in lines).encode()


# Least and greatest value, whole if both are `int`; or all values.
Domain = tuple[int, int] | tuple[float, float] | tuple[str, ...]
Value = int | float | str


class Traits(NamedTuple):
    """Properties of an engine; a test verifies each of them."""

    title: str  # its name in python-sat is the key of the table
    stops: bool = False  # releases Python's lock, and stops within 10 ms of an interruption
    frees_lock: bool = True  # other threads of Python run during its `solve`
    interrupts: bool = True  # can be interrupted, however late it checks
    is_one_shot: bool = False  # a second solve, or a clause after one, aborts the process
    assumes: bool = True  # takes assumptions, and returns the failed ones
    has_phases: bool = True
    default_phase: bool | None = None  # default phase of all variables, if phases cannot be set
    budgets: str = "conflicts, propagations"
    seed_option: str | None = None
    proves: bool = False  # its proofs are valid if deletions of reasons are ignored
    counts: bool = False  # takes at-most-k constraints without encoding
    options: Mapping[str, Domain] = {}  # those that users may set


def _all(names: str, domain: Domain) -> dict[str, Domain]:
    """Return the same domain for several options."""
    return dict.fromkeys(names.split(), domain)


_SWITCH, _COUNT = (0, 1), (1, 2 * 10**9)
# Options of search and inprocessing. A test finds an effect of each, since python-sat ignores names
# that an engine does not know. The seed is an option of nonosat.
_CADICAL_OPTIONS: Mapping[str, Domain] = {
    **_all("bump bumpreason chronoalways eagersubsume elim forcephase inprocessing", _SWITCH),
    **_all("lucky minimize phase probe reduce reluctant restart restartreusetrail", _SWITCH),
    **_all("reverse score shuffle stabilize stabilizeonly subsume vivify", _SWITCH),
    **_all("emagluefast emaglueslow rephaseint restartint", _COUNT),
    "bumpreasondepth": (1, 3),
    "chrono": (0, 2),
    "chronolevelim": (0, 2 * 10**9),
    "minimizedepth": (0, 1000),
    "reduceint": (10, 10**6),
    "reducetarget": (10, 100),
    "scorefactor": (500, 1000),
    "shrink": (0, 3),
    "target": (0, 2),
}
_CADICAL195_OPTIONS: Mapping[str, Domain] = {**_CADICAL_OPTIONS, "otfs": _SWITCH}
_CADICAL300_OPTIONS: Mapping[str, Domain] = {
    **_CADICAL195_OPTIONS,
    **_all("block condition cover factor fastelim inprobing randec ternary", _SWITCH),
    **_all("transred walk", _SWITCH),
    **_all("bumpreasonlimit bumpreasonrate", _COUNT),
    "backbone": (0, 2),
    "elimrounds": (1, 512),
    "preprocessinit": (0, 2 * 10**9),
    "tier1limit": (0, 100),
    "tier2limit": (0, 100),
    "vivifyonce": (0, 2),
}
_ERGO_OPTIONS: Mapping[str, Domain] = {
    **_all("glucose-bump keep-bin lcm", _SWITCH),
    "ccmin-mode": (0, 2),
    "cla-decay": (0.5, 1.0),
    "emulate": ("m2.0", "m2.2", "g3", "g4.2"),
    "min-learnts": (1, 10**6),
    "phase-saving": (0, 2),
    "reduce-by": (0.0, 1.0),
    "reducedb-policy": ("standard", "aggressive"),
    "restart-first": (1, 10**6),
    "restart-inc": (1.0, 10.0),
    "restart-policy": ("geom", "luby", "arif", "gluc"),
    "var-decay": (0.5, 1.0),
}
_GLUCOSE421_OPTIONS: Mapping[str, Domain] = {
    **_all("rnd-first-descent rnd-init-act rnd-pol", _SWITCH),
    "rnd-freq": (0.0, 1.0),
}
_CADICAL = Traits(
    "",
    frees_lock=False,
    interrupts=False,
    budgets="conflicts",
    proves=True,
)
TRAITS = {
    "cadical103": _CADICAL._replace(title="CaDiCaL 1.0.3", has_phases=False, default_phase=True),
    "cadical153": _CADICAL._replace(
        title="CaDiCaL 1.5.3", seed_option="seed", options=_CADICAL_OPTIONS
    ),
    "cadical195": _CADICAL._replace(
        title="CaDiCaL 1.9.5", seed_option="seed", options=_CADICAL195_OPTIONS
    ),
    "cadical300": _CADICAL._replace(
        title="CaDiCaL 3.0.0", seed_option="seed", options=_CADICAL300_OPTIONS
    ),
    "ergo": Traits("Ergo", proves=True, options=_ERGO_OPTIONS),
    "gluecard3": Traits("Gluecard 3", proves=True, counts=True),
    "gluecard4": Traits("Gluecard 4", proves=True, counts=True),
    "glucose3": Traits("Glucose 3.0", proves=True),
    "glucose41": Traits("Glucose 4.1", proves=True),
    "glucose421": Traits(
        "Glucose 4.2.1", seed_option="rnd-seed", proves=True, options=_GLUCOSE421_OPTIONS
    ),
    "kissat404": Traits(
        "Kissat 4.0.4",
        frees_lock=False,
        interrupts=False,
        is_one_shot=True,
        assumes=False,
        has_phases=False,
        default_phase=True,
        budgets="",
    ),
    # Incremental use would have to freeze the variables of later clauses and assumptions.
    "lingeling": Traits(
        "Lingeling",
        frees_lock=False,
        interrupts=False,
        is_one_shot=True,
        budgets="",
        proves=True,
    ),
    "maplechrono": Traits("MapleLCMDistChronoBT", proves=True),
    "maplecm": Traits("MapleCM", budgets="conflicts", proves=True),
    "mergesat3": Traits("MergeSat 3.0"),
    "minicard": Traits("MiniCard 1.2", stops=True, counts=True),
    "minisat22": Traits("MiniSat 2.2", stops=True),
    "minisat-gh": Traits("MiniSat, GitHub version", stops=True),
    "minisatep": Traits("MiniSat with external propagators"),
}
NAMES = tuple(TRAITS)
PROVES = tuple(name for name, traits in TRAITS.items() if traits.proves)


def _summary(traits: Traits) -> str:
    """Return the capabilities of an engine in a line."""
    able = {
        "counts": traits.counts,
        "phases": traits.has_phases,
        "phases by renaming": traits.default_phase is not None,
        f"budgets of {traits.budgets}": bool(traits.budgets),
        "proof": traits.proves,
        "seed": traits.seed_option is not None,
        "options": bool(traits.options),
        "restarted for every solution": traits.is_one_shot,
    }
    words = ", ".join(word for word, is_so in able.items() if is_so)
    return f"{traits.title}: {words}; {'this' if traits.stops else 'child'} process"


# Options


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


# Engines

_CHUNK = 4096  # clauses passed to an engine between two polls: 1 ms
_MAX_SEED = 2_000_000_000  # CaDiCaL accepts no larger seed


def _new_solver(name: str, seed: int, with_proof: bool, options: Mapping[str, Value]) -> Any:
    """Return a solver of python-sat; seed 0 keeps the engine's default."""
    try:
        from pysat.solvers import Solver
    except ImportError as error:
        what = f"{name} needs python-sat: {error}"
        raise BackendError(what, advice="install python-sat") from error
    traits = TRAITS[name]
    solver = Solver(name=name, **({"with_proof": True} if with_proof else {}))
    if seed and traits.seed_option is not None:
        solver.configure({traits.seed_option: seed % _MAX_SEED})
        if traits.seed_option == "rnd-seed":  # otherwise the seed has no effect in Glucose
            solver.configure({"rnd-init-act": True})
    for option, value in options.items():  # of several, Glucose's `configure` sets one
        solver.configure({option: value})
    return solver


class PysatEngine(Buffer, Engine):
    """A solver for a growing formula.

    Clauses are buffered until `solve`, which adds them under its watch: a large formula takes
    seconds.

    Args:
        name: One of NAMES.
        num_vars: Variables of the model.
        seed: For the engines that take one; 0 keeps the engine's default.
        with_proof: True if `proof` will be called.
        options: Options of the engine by name, as `check_options` accepts them.
    """

    def __init__(
        self,
        name: str,
        num_vars: int,
        seed: int,
        with_proof: bool = False,
        options: Mapping[str, str] = {},
    ) -> None:
        super().__init__(num_vars)
        self.label = name
        self._seed = seed
        self._feed: Iterator[list[list[int]]] = iter(())
        self._suggested: list[int] = []
        self._values = b""
        self._with_proof = with_proof
        self._options = checked(name, options, TRAITS[name].options)
        self._solver = _new_solver(name, seed, with_proof, self._options)

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Count) and TRAITS[self.label].counts:
            self._constrain_count(constraint)
        else:
            super().constrain(constraint)

    def _constrain_count(self, count: Count) -> None:
        """Add two at-most-k constraints: `upper` on the literals, and one on their negations."""
        if self._with_proof:
            raise UnsupportedError(f"{self.label} proves nothing about counts; encode them")
        bounds = counted(count, self)
        if bounds is None:
            return
        for lits, _, upper in (bounds, bounds.of_false()):
            if upper < len(lits):
                self._solver.add_atmost(lits, upper)

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set permanent phases of decisions; return True if the engine supports them.

        Call it before the first `solve`: later CaDiCaL may keep its saved phases.
        """
        if TRAITS[self.label].has_phases:
            self._suggested = list(lits)
        return TRAITS[self.label].has_phases

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; UNKNOWN after a limit, `interrupt` or the budget of conflicts."""
        self._values = b""
        self._assumed = list(assumptions)
        try:
            self._load(watch)
        except LimitReached:
            return Answer.UNKNOWN
        if TRAITS[self.label].stops:
            found = self._solve_stoppable(list(assumptions), watch, budget)
        elif budget is not None:
            # Always in interruptible mode: otherwise python-sat's own handler of Ctrl-C leaves the
            # search by a longjmp, and the engine broken.
            is_safe = TRAITS[self.label].interrupts
            self._solver.conf_budget(budget)
            found = self._solver.solve_limited(list(assumptions), expect_interrupt=is_safe)
        else:
            found = self._solver.solve(assumptions=list(assumptions))
        if found:
            # Read immediately: CaDiCaL aborts if its model is read after a clause was added.
            self._values = _values(self._solver.get_model(), self.num_vars)
        return _ANSWERS[found]

    def values(self) -> bytes:
        return self._values

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT, not necessarily minimal."""
        core = list(self._solver.get_core() or ())
        # Ergo sometimes returns other literals; all assumptions together are always refuted.
        return core if set(core) <= set(self._assumed) else self._assumed

    def statistics(self) -> dict[str, int]:
        return dict(self._solver.accum_stats() or {})

    def proof(self) -> bytes:
        """Return a refutation of the clauses after UNSAT without assumptions, DRAT in text."""
        return "".join(f"{line}\n" for line in self._solver.get_proof()).encode()

    def interrupt(self) -> None:
        """End the running `solve`, or else the next one, if the engine can be interrupted."""
        if TRAITS[self.label].stops:
            self._solver.interrupt()

    def close(self) -> None:
        self._solver.delete()

    def _load(self, watch: Watch) -> None:
        self._feed = chain(self._feed, chunks(self.take(), _CHUNK))
        for chunk in self._feed:
            self._solver.append_formula(chunk)
            watch.check()
        self._feed = iter(())
        if self._suggested:
            # Not earlier: CaDiCaL forgets the phases of variables that no clause has mentioned.
            self._solver.set_phases(self._suggested)
            self._suggested = []

    def _solve_stoppable(
        self, assumptions: list[int], watch: Watch, budget: int | None
    ) -> bool | None:
        self._solver.conf_budget(-1 if budget is None else budget)

        def call() -> Any:
            return self._solver.solve_limited(assumptions, expect_interrupt=True)

        try:
            found: bool | None = watch.run(call, self._solver.interrupt)
        finally:
            self._solver.clear_interrupt()
        return found


class RenamedEngine(PysatEngine):
    """A solver without phases; variables are renamed so that the requested phase is its default."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._renaming = Renaming()
        self._is_begun = False

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set phases of decisions by renaming; return False after the first `solve`."""
        phase = TRAITS[self.label].default_phase
        if self._is_begun or phase is None:
            return False
        self._renaming = Renaming(lits, phase)
        return True

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability with renamed variables; otherwise as `PysatEngine`."""
        self._is_begun = True
        renaming = self._renaming
        self.buffer = renaming.batch(self.buffer, self.num_vars)
        answer = super().solve(renaming.lits(assumptions), watch, budget)
        self._values = renaming.values(self._values)
        return answer

    def failed(self) -> list[int]:
        return self._renaming.lits(super().failed())

    def proof(self) -> bytes:
        return self._renaming.proof(super().proof())


class OneShotEngine(PysatEngine):
    """A solver recreated for every `solve`; assumptions become unit clauses of it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._renaming = Renaming()

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set phases of decisions, directly or by renaming."""
        phase = TRAITS[self.label].default_phase
        if phase is None:
            return super().set_phases(lits)
        self._renaming = Renaming(lits, phase)
        return True

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability by a new solver, which has no budget and cannot be interrupted."""
        if budget is not None:
            raise UnsupportedError(f"{self.label} keeps to no budget of conflicts")
        self._values = b""
        self._solver.delete()
        self._solver = _new_solver(self.label, self._seed, self._with_proof, self._options)
        self._solver.append_formula(split(self._renaming.batch(self.buffer, self.num_vars)))
        self._solver.append_formula([[lit] for lit in self._renaming.lits(assumptions)])
        if self._suggested:
            self._solver.set_phases(self._suggested)
        found = self._solver.solve()
        if found:
            model = self._renaming.lits(self._solver.get_model())
            self._values = _values(model, self.num_vars)
        return _ANSWERS[found]

    def failed(self) -> list[int]:
        raise UnsupportedError(f"{self.label} is recreated for each solve: no failed assumptions")

    def proof(self) -> bytes:
        return self._renaming.proof(super().proof())

    def statistics(self) -> dict[str, int]:
        return {}  # Kissat exposes none, Lingeling's are those of the last solve


_ANSWERS = {True: Answer.SAT, False: Answer.UNSAT, None: Answer.UNKNOWN}


def _values(model: list[int], num_vars: int) -> bytes:
    """Return the values of a model, a byte a variable, 0 for variables that it does not contain."""
    values = bytearray(num_vars + 1)
    for lit in model:
        if lit > 0:
            values[lit] = 1
    return bytes(values)


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> PysatEngine:
    """Return a fresh engine of that name; with the option {"proof": "yes"} it writes a proof."""
    own = {option: value for option, value in options.items() if option != "proof"}
    with_proof = options.get("proof") == "yes"
    traits = TRAITS[name]
    if with_proof and not traits.proves:
        raise UnsupportedError(f"{name} writes no proofs; these do: {', '.join(PROVES)}")
    if traits.is_one_shot:
        return OneShotEngine(name, num_vars, seed, with_proof, own)
    if traits.default_phase is not None:
        return RenamedEngine(name, num_vars, seed, with_proof, own)
    return PysatEngine(name, num_vars, seed, with_proof, own)


def check_options(name: str, options: Mapping[str, str]) -> None:
    """Raise UnsupportedError for options that an engine lacks, or with a wrong value."""
    checked(name, options, TRAITS[name].options)


PLUGINS = {
    name: Backend(
        summary=_summary(traits),
        needs="python-sat",
        open_engine=open_engine,
        native=frozenset({Count}) if traits.counts else frozenset(),
        in_process=traits.stops,
        proves=traits.proves,
        explains=traits.assumes and not traits.is_one_shot,
        check_options=check_options if traits.options else None,
    )
    for name, traits in TRAITS.items()
}
