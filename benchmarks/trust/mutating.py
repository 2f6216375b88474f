"""Mutants of Python source: small changes that a test should detect.

Only code inside functions is changed: a comparison, an operator, `and` and `or`, `not`, a constant
by one, a condition replaced by true or false, the bounds of a slice, a returned value, a statement
removed. Not changed are assertions (`assert`, and `strict=True` of a `zip`), annotations, the words
of messages, and code that runs once during import (defaults, tables).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Mutant(NamedTuple):
    """A change of a module.

    Args:
        line: Line number, from 1.
        function: Qualified name of the outermost function around it.
        first: That function's first line, decorators included.
        before: The source that is changed.
        after: Its replacement.
        node: Index of the changed node among those of the module, in the order of `ast.walk`.
        way: Index among the changes of this node.
    """

    line: int
    function: str
    first: int
    before: str
    after: str
    node: int
    way: int


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    number = {node: index for index, node in enumerate(ast.walk(tree))}
    found = []
    for name, function in _functions(tree, ""):
        first = _first_line(function)
        for node in _inside(function):
            before = ast.unparse(node)
            for way, change in enumerate(_changes(node)):
                after = ast.unparse(change)
                line = (node.iter if isinstance(node, ast.comprehension) else node).lineno
                found.append(Mutant(line, name, first, before, after, number[node], way))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.node, mutant.way))


def mutated(source: str, mutant: Mutant, path: str) -> CodeType:
    """Return the code of the function that a mutant changes; `path` is the module's file."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[mutant.node]
    change = ast.copy_location(list(_changes(node))[mutant.way], node)
    _Replace(node, change).visit(tree)
    ast.fix_missing_locations(tree)
    code = compile(tree, path, "exec", dont_inherit=True)
    return next(
        each
        for each in codes(code)
        if (each.co_qualname, each.co_firstlineno) == (mutant.function, mutant.first)
    )


def noting(source: str, path: str, into: str) -> Iterator[CodeType]:
    """Return a module's functions changed to add "path:first line" to the global set `into`."""
    tree = ast.parse(source)
    wanted = set()
    for name, function in _functions(tree, ""):
        first = _first_line(function)
        wanted.add((name, first))
        note = ast.parse(f"{into}.add({f'{path}:{first}'!r})").body[0]
        function.body.insert(0, ast.increment_lineno(note, function.body[0].lineno - 1))
    code = compile(tree, path, "exec", dont_inherit=True)
    return (each for each in codes(code) if (each.co_qualname, each.co_firstlineno) in wanted)


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all nested ones."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _first_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the first line of a function, including its decorators."""
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def _functions(
    node: ast.AST, within: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions and methods of a module that are not nested in a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield within + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{within}{child.name}.")
        elif isinstance(child, ast.If) and ast.unparse(child.test) != "TYPE_CHECKING":
            yield from _functions(child, within)


def _inside(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body that may change."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Assert | ast.JoinedStr) or _is_strict(node):
            continue
        yield node
        if isinstance(node, ast.Raise):
            continue
        if isinstance(node, FUNCTIONS):
            waiting += node.body
        elif isinstance(node, ast.AnnAssign):
            waiting += [node.value] if node.value else []
        else:
            waiting += ast.iter_child_nodes(node)


def _is_strict(node: ast.AST) -> bool:
    """Return True for the `strict=True` of a `zip`."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the replacements of a node."""
    for sort, change in CHANGES.items():
        if isinstance(node, sort):
            yield from change(node)


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for at, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    words = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    constant = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str | bytes)
    if type(node.op) in OPERATORS and not constant and not isinstance(node.left, words):
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)


def _augmented(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield ast.Pass()
    if type(node.op) in OPERATORS and not isinstance(node.value, ast.List | ast.ListComp):
        yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)


def _connected(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def _condition(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    make = type(node)
    for test in (ast.Constant(True), ast.Constant(False)):
        yield make(test, node.body, node.orelse)  # type: ignore[arg-type]  # of its own parts


def _while(node: ast.While) -> Iterator[ast.AST]:
    yield ast.While(ast.Constant(False), node.body, node.orelse)


def _filter(node: ast.comprehension) -> Iterator[ast.AST]:
    if node.ifs:
        yield ast.comprehension(node.target, node.iter, [], node.is_async)


def _slice(node: ast.Slice) -> Iterator[ast.AST]:
    if node.lower:
        yield ast.Slice(None, node.upper, node.step)
    if node.upper:
        yield ast.Slice(node.lower, None, node.step)


def _returned(node: ast.Return) -> Iterator[ast.AST]:
    if node.value and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(ast.Constant(None))


def _dropped(node: ast.Expr) -> Iterator[ast.AST]:
    if not isinstance(node.value, ast.Constant):
        yield ast.Pass()


def _stored(node: ast.Assign) -> Iterator[ast.AST]:
    """Drop assignments to attributes and items only; a missing name would fail at once."""
    if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
        yield ast.Pass()


def _left_out(node: ast.Raise) -> Iterator[ast.AST]:
    yield ast.Pass()


CHANGES: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
    ast.Compare: _compare,
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.BoolOp: _connected,
    ast.UnaryOp: _unary,
    ast.Constant: _constant,
    ast.If: _condition,
    ast.IfExp: _condition,
    ast.While: _while,
    ast.comprehension: _filter,
    ast.Slice: _slice,
    ast.Return: _returned,
    ast.Expr: _dropped,
    ast.Assign: _stored,
    ast.Raise: _left_out,
    ast.Break: lambda node: iter((ast.Continue(),)),
    ast.Continue: lambda node: iter((ast.Break(),)),
}
