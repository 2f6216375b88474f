"""The check of covers refuses covers that are not complete."""

from __future__ import annotations

import copy
import json
import random

import pytest

import nonosat
from helpers.commands import run
from helpers.cubed import coloured_rooks, here, rooks
from nonosat.certify.covers import line, verify_covers
from nonosat.core.errors import CertificateError, LimitReached
from nonosat.core.limits import Watch
from nonosat.processes import places
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solving import auto
from nonosat.solving.cubes import leaves

pytestmark = pytest.mark.usefixtures("here")
assert here  # a fixture


def covered(puzzle: Nonogram, num_cubes: int = 5, budget: int = 50) -> dict:
    """Return the cover of a puzzle as it is written to a file."""
    patch = pytest.MonkeyPatch()
    patch.setattr(leaves, "BUDGET", budget)
    with patch.context():
        result = nonosat.solve(puzzle, cubes=num_cubes, max_solutions=200, presolve="none")
    patch.undo()
    data: dict = json.loads(line(result))
    return data


@pytest.fixture(scope="module")
def covers(module_patch):
    puzzles = (
        nonosat.load("instances/hard.jsonl#steps-8"),
        nonosat.load("instances/special.jsonl#broken-steps"),
        rooks(4, 4),
        rooks(6, 5),
        coloured_rooks(3),
    )
    return [covered(puzzle) for puzzle in puzzles]


@pytest.fixture(scope="module")
def module_patch():
    from helpers.cubed import Here

    patch = pytest.MonkeyPatch()
    patch.setattr(places, "LocalPool", Here)
    patch.setattr(auto, "WHOLE_CONFLICTS", 0)
    yield
    patch.undo()


def verified(data: dict, tmp_path) -> list:
    path = tmp_path / "covers.jsonl"
    path.write_text(json.dumps(data) + "\n")
    return list(verify_covers(path))


@pytest.mark.thorough
def test_written_covers_are_accepted(covers, tmp_path):
    for data in covers:
        (found,) = verified(data, tmp_path)
        assert found.verdict == data["verdict"]
        assert found.covered.num_solutions == len(data["solutions"])
        leaves = [node for node in data["nodes"] if "cube" in node]
        assert sum(found.covered.leaves.values()) == len(leaves)
    ended = {node["ended by"] for data in covers for node in data["nodes"] if "cube" in node}
    assert ended >= {"learn", "look-ahead"}


def leaf(nodes, pick, **wanted):
    """Return a leaf with such values."""
    found = [i for i, node in enumerate(nodes) if "cube" in node]
    found = [i for i in found if all(nodes[i][name] == value for name, value in wanted.items())]
    return pick(found)


def inner(nodes, pick):
    return pick([i for i, node in enumerate(nodes) if "children" in node])


def drop_leaf(data, pick):
    del data["nodes"][leaf(data["nodes"], pick)]


def drop_child(data, pick):
    data["nodes"][inner(data["nodes"], pick)]["children"].pop()


def same_child_twice(data, pick):
    children = data["nodes"][inner(data["nodes"], pick)]["children"]
    children[0] = children[1]


def child_of_itself(data, pick):
    index = inner(data["nodes"], pick)
    data["nodes"][index]["children"][pick([0, 1])] = index


def swap_children(data, pick):
    data["nodes"][inner(data["nodes"], pick)]["children"].reverse()


def no_such_child(data, pick):
    data["nodes"][inner(data["nodes"], pick)]["children"][0] = len(data["nodes"])


def flip_branch(data, pick):
    branch = data["nodes"][inner(data["nodes"], pick)]["branch"]
    branch[2] = 1 - branch[2] if branch[2] < 2 else 0


def move_branch(data, pick):
    branch = data["nodes"][inner(data["nodes"], pick)]["branch"]
    branch[0] = branch[0] - 1 if branch[0] else 1


def off_the_board(data, pick):
    data["nodes"][inner(data["nodes"], pick)]["branch"][1] = 99


def deep_leaf(data, pick):
    return pick([node for node in data["nodes"] if node.get("cube")])


def flip_literal(data, pick):
    lit = pick(deep_leaf(data, pick)["cube"])
    lit[3] = not lit[3]


def shorten_cube(data, pick):
    deep_leaf(data, pick)["cube"].pop()


def lengthen_cube(data, pick):
    data["nodes"][leaf(data["nodes"], pick)]["cube"].append([0, 0, 1, True])


def leave_open(data, pick):
    data["nodes"][leaf(data["nodes"], pick)]["ended by"] = ""


def leaf_without_end(data, pick):
    del data["nodes"][leaf(data["nodes"], pick)]["ended by"]


def cut_off(data, pick):
    """Replace the subtree of a node by a leaf with the node's cube."""
    index = inner(data["nodes"], pick)
    data["nodes"][index] = {**data["nodes"][index], "cube": [], "ended by": "", "solutions": []}
    del data["nodes"][index]["children"]


def lonely_node(data, pick):
    data["nodes"].append({"cube": [], "ended by": "learn", "solutions": []})


def no_object(data, pick):
    data["nodes"][leaf(data["nodes"], pick)] = pick([None, 7, [], "leaf"])


def strange_probe(data, pick):
    data["nodes"][leaf(data["nodes"], pick)]["probed"] = [[0, -1]]


def blame_look_ahead(data, pick):
    nodes = data["nodes"]
    nodes[leaf(nodes, pick, **{"ended by": "learn"})]["ended by"] = "look-ahead"


STRUCTURE = (
    *(drop_leaf, drop_child, same_child_twice, child_of_itself, swap_children, no_such_child),
    *(flip_branch, move_branch, off_the_board, flip_literal, shorten_cube, lengthen_cube),
    *(leave_open, leaf_without_end, cut_off, lonely_node, no_object, strange_probe),
)


@pytest.mark.thorough
@pytest.mark.parametrize("mutate", STRUCTURE, ids=lambda mutate: mutate.__name__)
def test_a_tree_that_was_changed_is_refused(covers, mutate, tmp_path):
    for number, data in enumerate(covers):
        pick = random.Random(number).choice
        for _ in range(4):
            changed = copy.deepcopy(data)
            mutate(changed, pick)
            with pytest.raises(CertificateError):
                verified(changed, tmp_path)


def test_cubes_that_propagation_does_not_refute_are_not_attributed_to_look_ahead(covers, tmp_path):
    data = covers[0]
    changed = copy.deepcopy(data)
    blame_look_ahead(changed, random.Random(1).choice)
    with pytest.raises(
        CertificateError, match=r"node \d+: propagation does not refute it|solutions"
    ):
        verified(changed, tmp_path)


def test_probed_cells_are_needed(tmp_path):
    """If look-ahead has refuted a cube by probing, the file has to list the cells."""
    data = covered(rooks(5, 4), num_cubes=50)
    assert {node["ended by"] for node in data["nodes"] if "cube" in node} == {"look-ahead"}
    verified(data, tmp_path)
    for node in data["nodes"]:
        node.pop("probed", None)
    with pytest.raises(CertificateError, match="propagation does not refute it"):
        verified(data, tmp_path)


def forget_solution(data):
    data["solutions"].pop()


def no_solution(data):
    data["solutions"][0][0][0] ^= 1


def strange_colour(data):
    data["solutions"][0][0][0] = 77


def true_cell(data):
    data["solutions"][0][0][0] = bool(data["solutions"][0][0][0])


def solution_twice(data):
    data["solutions"].append(data["solutions"][0])


def in_no_leaf(data):
    for node in data["nodes"]:
        if node.get("solutions"):
            node["solutions"].pop()
            return


def in_another_leaf(data):
    holding = next(node for node in data["nodes"] if node.get("solutions"))
    other = next(
        node
        for node in data["nodes"]
        if node is not holding and node.get("ended by", "look-ahead") != "look-ahead"
    )
    other["solutions"].append(holding["solutions"].pop())


@pytest.mark.parametrize(
    "mutate",
    [
        forget_solution,
        no_solution,
        strange_colour,
        true_cell,
        solution_twice,
        in_no_leaf,
        in_another_leaf,
    ],
)
def test_solutions_that_were_changed_are_refused(covers, mutate, tmp_path):
    with_solutions = [data for data in covers if len(data["solutions"]) > 1]
    assert with_solutions
    for data in with_solutions:
        changed = copy.deepcopy(data)
        mutate(changed)
        with pytest.raises(CertificateError):
            verified(changed, tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no cover"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "version 1"),
        ('{"cover": 1}', "puzzle"),
        ('{"cover": true}', "version 1"),
        ('{"cover": 1, "cover": 1}', "the key 'cover' is there twice"),
        ('{"cover": 1, "puzzle": {"rows": [[1]], "columns": [[1]]}}', "is not a list"),
    ],
)
def test_files_that_are_none(tmp_path, text, told):
    path = tmp_path / "none.jsonl"
    path.write_text(text)
    with pytest.raises(CertificateError, match=told):
        list(verify_covers(path))


def test_a_verdict_is_one_for_that_many_solutions(covers, tmp_path):
    for data in covers:
        for verdict in {"unique", "unsolvable", "multiple", "solved", "certain"} - {
            data["verdict"]
        }:
            with pytest.raises(CertificateError, match="the verdict"):
                verified({**data, "verdict": verdict}, tmp_path)


def test_limits_hold(covers, tmp_path):
    path = tmp_path / "covers.jsonl"
    path.write_text(json.dumps(covers[0]) + "\n")
    with pytest.raises(LimitReached, match="memory limit"):
        list(verify_covers(path, memory_limit_mib=1))
    with pytest.raises(LimitReached, match="time limit"):
        list(verify_covers(path, time_limit_s=1e-6))


def test_a_file_that_would_not_fit_is_not_read(tmp_path):
    path = tmp_path / "covers.jsonl"
    with path.open("wb") as file:
        file.truncate(2**40)  # takes no space on the disk
    with pytest.raises(LimitReached, match="memory limit of 4000 MiB"):
        list(verify_covers(path, memory_limit_mib=4000))


def test_twice_the_size_of_a_file_has_to_fit(tmp_path, monkeypatch):
    path = tmp_path / "covers.jsonl"
    path.write_text("no cover")
    asked = []
    monkeypatch.setattr(Watch, "reserve", lambda _, size: asked.append(size))
    with pytest.raises(CertificateError, match="not JSON"):
        list(verify_covers(path))
    assert asked == [2 * len("no cover")]


def test_a_puzzle_that_needs_no_cubes_has_no_cover(tmp_path):
    done = run("check", "bundled:cat", "--cubes", "3", "--cover", str(tmp_path / "c.jsonl"))
    assert done.exit_code == 0
    assert "no cover, as it is decided without cubes" in done.stderr


def test_the_command(tmp_path, monkeypatch, module_patch):
    puzzle = nonosat.load("instances/special.jsonl#broken-steps")
    monkeypatch.chdir(tmp_path)
    from nonosat.formats import jsonl

    (tmp_path / "puzzle.json").write_bytes(jsonl.write([puzzle]))
    done = run("check", "puzzle.json", "--cubes", "3", "--cover", "c.jsonl")
    assert done.exit_code == 4
    again = run("verify", "c.jsonl")
    assert again.exit_code == 6
    told = again.stdout
    assert told.startswith(
        "c.jsonl: broken-steps: covers everything: that there is no solution is "
    )
    assert "not checked" in told
    assert "trusted, " in told
    assert "by learn" in told
    assert run("check", "puzzle.json", "--cubes", "3", "--cover", "c.jsonl").exit_code == 2
    assert run("check", "puzzle.json", "--cover", "d.jsonl").exit_code == 2
    data = json.loads((tmp_path / "c.jsonl").read_text())
    data["nodes"].pop()
    (tmp_path / "c.jsonl").write_text(json.dumps(data))
    refused = run("verify", "c.jsonl")
    assert refused.exit_code == 2
    assert "line 1: there is no node" in refused.stderr


def test_the_headline_states_no_more_than_was_checked(covers, tmp_path, monkeypatch):
    """A fabricated cover of a puzzle with two solutions."""
    monkeypatch.chdir(tmp_path)
    puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
    data = covered(puzzle, 1)
    assert len(data["solutions"]) == 2
    leaf = {"cube": [], "ended by": "learn", "solutions": [0], "probed": []}
    made_up = {**data, "verdict": "unique", "solutions": data["solutions"][:1], "nodes": [leaf]}
    (tmp_path / "c.jsonl").write_text(json.dumps(made_up) + "\n")
    lie = run("verify", "c.jsonl")
    assert lie.exit_code == 6
    assert "at least 1 solution, that there is no other is not checked: a cube is" in lie.stdout
    assert not any(word in lie.stdout for word in ("exactly", "valid"))
    # Lines alone refute the other value of the last cell, so that nothing is assumed unchecked.
    branch = {"branch": [0, 0, 1], "children": [1, 2], "probed": []}
    refuted = [
        {"cube": [[0, 0, 1, holds]], "ended by": "look-ahead", "solutions": [], "probed": []}
        for holds in (True, False)
    ]
    broken = nonosat.nonogram([[2], [1]], [[1], [1]])
    empty = {**covered(broken, 1), "verdict": "unsolvable", "solutions": []}
    (tmp_path / "d.jsonl").write_text(json.dumps({**empty, "nodes": [branch, *refuted]}) + "\n")
    sound = run("verify", "d.jsonl")
    assert (sound.exit_code, sound.stderr) == (0, "")
    assert sound.stdout.startswith("d.jsonl: valid: no solution (2 cubes refuted again, ")
    assert run("verify", "d.jsonl", "c.jsonl").exit_code == 6


def test_prove_with_cubes_leaves_nothing_unchecked(tmp_path):
    """Cubes refuted by look-ahead and cubes refuted by an engine are parts of one proof."""
    for number, name in enumerate(("hard.jsonl#steps-8", "special.jsonl#broken-steps")):
        puzzle = nonosat.load(f"instances/{name}")
        folder = tmp_path / str(number)
        proof = nonosat.prove(puzzle, cubes=4)
        assert proof.num_lemmas > 0
        proof.write(folder)
        assert nonosat.verify(folder).claim == proof.claim
        done = run("verify", str(folder))
        assert done.exit_code == 0
        assert "trust" not in done.stdout
        drat = (folder / "proof.drat").read_bytes().splitlines()
        (folder / "proof.drat").write_bytes(b"\n".join(drat[: len(drat) // 2]) + b"\n")
        assert run("verify", str(folder)).exit_code == 2
