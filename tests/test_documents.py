"""Contents of documents 000 and 003, item by item, and the test of each item.

The items are those of the list that was made when the documents were checked: every algorithm,
example, list of placements, rebuilt grid, claim and slip ("000.7" is slip 7 of document 000). The
test below holds that each test named here exists.

| item | what | test |
|---|---|---|
| 000 A | the recursion T | test_study_lines::test_t_agrees_with_enumeration |
| 000 A | O(2^m) is never reached: O(1.618^m) | test_study_background::test_the_recursion_t_branches_like_fibonacci |
| 000 B | painting, method 1 | test_study_lines::test_painting_is_complete_propagation |
| 000 B | never repaints, completes fixed cells | test_study_lines::test_painting_keeps_known_cells_and_completes_fixed_ones |
| 000 B | cost O(m 2^m) | test_study_lines::test_the_estimates_are_upper_bounds |
| 000 C | painting, method 2 | test_study_lines::test_painting_any_line |
| 000 C | cost O(m 2^m) | test_study_lines::test_the_estimates_are_upper_bounds |
| 000 D | the optimum, memory of failures | test_study_lines::test_the_memory_bounds_the_recursion |
| 000 E | shortcuts | test_study_lines::test_shortcuts_need_no_recursion |
| 000 F | passes over dirty rows and columns | test_study_grids::test_passes_reach_the_native_fixpoint |
| 000 F | true, undetermined, false | test_study_grids::test_the_documents_grids |
| 000 G | greedy order | test_study_grids::test_greedy_takes_the_easiest_lines_first |
| 000 G | no asymptotic gain | test_study_report::test_orders_are_compared_in_line_solves |
| 000 H | completion by guessing | test_study_grids::test_guesses_work_on_copies |
| 000 I | stars and bars by induction | test_study_counting::test_stars_and_bars_by_induction |
| 000 I | Fibonacci: plain O(2^k), top-down and bottom-up O(k) | test_study_background::test_three_ways_to_fibonacci |
| 000 I | dynamic programming of T | test_study_lines::test_the_memory_bounds_the_recursion |
| 000 I | Kruskal's greedy algorithm | test_study_background::test_kruskal_finds_a_tree_of_least_cost |
| 000 I | edges by cost | test_study_background::test_kruskal_takes_the_cheapest_edges_first |
| 000 J | steps 1 and 2: easiest lines, fixed cells | test_study_human::test_a_person_takes_the_easiest_lines_first_and_paints_what_is_fixed |
| 000 J | step 3: fewest unknown cells | test_study_human::test_a_person_goes_on_with_the_fewest_unknown_cells |
| 000 J | step 4: a guess | test_study_human::test_a_person_guesses_last_where_least_is_unknown |
| 000 J | the human strategy solves | test_study_agreement::test_all_methods_agree_with_enumeration |
| 000 | gamma, slack, number of placements | test_study_counting::test_counting_agrees_with_enumeration |
| 000 | the smaller gamma, the more placements | test_study_counting::test_a_smaller_gamma_means_more_placements_of_as_many_blocks_only |
| 000 | placements of 8; 3 5; 2 3 2; 3; 3 2, set and order | test_study_counting::test_the_documents_placements_in_its_order |
| 000 | single placements of (); 11; 3 7; 2 4 3; 1 1 1 1 1 1 | test_study_counting::test_the_documents_placements_in_its_order |
| 000 | fixed cells of the examples | test_study_counting::test_the_documents_fixed_cells |
| 000 | the 2x4 grid of the brute-force example | test_study_grids::test_line_solving_makes_no_progress_on_the_brute_force_example |
| 000.1 | T without blocks | test_study_lines::test_without_blocks_all_cells_count |
| 000.2 | summary, j = s_l - 1 | test_study_lines::test_the_block_that_fills_the_prefix_reads_all_its_cells |
| 000.3 | summary, cases left out | test_study_lines::test_the_summary_leaves_cases_out |
| 000.3 | undefined on 13099, wrong on 225 | test_study_lines::test_how_often_the_printed_formulas_fail |
| 000.4 | index -1 | test_study_lines::test_the_index_in_front_of_the_line |
| 000.5 | method 1 as printed | test_study_lines::test_method_1_as_printed |
| 000.5 | separator and prefix | test_study_lines::test_method_1_paints_the_separator_and_the_prefix |
| 000.5 | the filled branch | test_study_lines::test_method_1_if_only_the_filled_branch_is_possible |
| 000.6 | j, l undefined | test_study_lines::test_method_2_starts_at_the_end_of_the_line |
| 000.7 | memory outlives a trial | test_study_lines::test_a_memory_must_not_outlive_a_trial |
| 000.8 | cost of the optimum | test_study_report::test_exponents_of_a_line_lie_below_the_bounds |
| 000.8 | j + 2 c_{j-1} is O(2^j) | test_study_background::test_the_recurrences_of_both_methods_are_2_to_the_j |
| 000.9 | one pass is not all | test_study_grids::test_a_cell_makes_one_line_dirty |
| 000.10 | AND | test_study_grids::test_passes_go_on_while_rows_or_columns_are_dirty |
| 000.11 | base of the induction | test_study_counting::test_stars_and_bars_by_induction |
| 000.12 | number of gaps | test_study_counting::test_there_is_one_gap_more_than_blocks |
| 000.13 | number of fixed cells | test_study_counting::test_the_printed_number_of_fixed_cells_is_wrong |
| 000.14 | interval of fixed cells | test_study_counting::test_the_printed_fixed_interval_is_wrong |
| 000.15 | single placement iff gamma = m | test_study_counting::test_no_blocks_are_a_single_placement_too |
| 000.16 | shortcuts overwrite | test_study_lines::test_shortcuts_keep_what_is_known |
| 000.17 | O(log m) | test_study_lines::test_an_untouched_line_paints_up_to_all_its_cells |
| 000.18 | score without blocks | test_study_lines::test_the_score_of_a_line_without_blocks |
| 000.18 | sorting is O(m) | test_study_lines::test_sorting_by_score_is_more_than_linear |
| 000.18 | score of a finished line | test_study_grids::test_finished_lines_come_last |
| 000.19 | two of "Cách 9" | test_study_counting::test_example_3_has_ten_placements |
| 000.20 | 1 <= 2 | test_study_grids::test_the_clues_of_the_brute_force_example |
| 000.21 | "row j", "Om2m)" (print) | test_study_grids::test_the_documents_grids |
| 000.22 | size of the tree | test_study_grids::test_the_tree_of_guesses_is_2_to_the_cells |
| 000.22 | copies | test_study_grids::test_guesses_work_on_copies |
| 003 | lists of rows left to right, of columns top to bottom | test_study_grids::test_the_documents_grids |
| 003 | the grids 6x6, 5x5, 0 solutions, diagonals | test_study_grids::test_the_documents_grids |
| 003 | the X beside the row of clue 3 (5x5) | test_study_grids::test_the_cells_that_the_slide_marks |
| 003 | the 6x6 needs 4 passes | test_study_grids::test_the_slides_grid_needs_four_passes |
| 003 | at least one solution, one is enough | test_study_grids::test_one_solution_is_enough_and_all_are_found |
| 003 | partial solutions of 2 1 | test_study_automata::test_partial_lines_of_2_1 |
| 003 1 | a b* a accepts | test_study_automata::test_the_slides_example_accepts |
| 003 1 | a word in linear time | test_study_report::test_exponents_of_a_line_lie_below_the_bounds |
| 003 1 | a b* a rejects | test_study_automata::test_the_slides_example_rejects |
| 003 2 | the automaton of 2 3 | test_study_automata::test_the_automaton_of_2_3_is_the_slides |
| 003 2 | the automaton of no blocks | test_study_automata::test_the_automaton_of_no_blocks_is_zeros |
| 003 2 | automata accept the fillings | test_study_automata::test_automata_accept_exactly_the_fillings |
| 003 3 | validator of a grid | test_study_grids::test_the_validator_checks_every_line |
| 003 4 | brute force | test_study_grids::test_the_documents_grids |
| 003 4 | 2^(n^2) grids | test_study_grids::test_brute_force_tries_every_grid |
| 003 5 | runs over partial lines | test_study_automata::test_partial_runs_and_values_agree_with_enumeration |
| 003 5 | runs in O(Q I) | test_study_automata::test_state_sets_stay_small_where_branches_do_not |
| 003 5 | determinised automata | test_study_automata::test_determinised_automata_accept_the_same_partial_lines |
| 003 6 | backtracking | test_study_agreement::test_all_methods_agree_with_enumeration |
| 003 7 | rule 1 | test_study_automata::test_rule_1_empties_a_line_without_blocks |
| 003 7 | rule 2 | test_study_automata::test_rule_2_fills_what_every_placement_fills |
| 003 7 | rule 3 | test_study_automata::test_rule_3_decides_cells_through_rule_4 |
| 003 7 | rule 4 | test_study_automata::test_rule_4_empties_what_no_range_reaches |
| 003 5 | a determinised run is a look-up a letter | test_study_automata::test_determinised_automata_accept_the_same_partial_lines |
| 003 7 | each rule alone | test_study_automata::test_rules_are_sound_alone |
| 003 7 | rules together, and what they miss | test_study_automata::test_rules_are_sound_together_and_find_every_filled_cell |
| 003 7 | what the rules leave of the slides' grids | test_study_grids::test_the_documents_grids |
| 003 7 | rules help backtracking | test_study_grids::test_rules_leave_less_to_backtrack |
| 003 | mean cells found by each rule at size 6 | test_study_report::test_cells_found_by_each_rule |
| 003 | time of brute force and comparisons | test_study_report::test_times_grow_with_size |
| 003 slip | backtrack ignores its answer | test_study_grids::test_backtracking_uses_the_answer_of_its_recursion |
| 003 slip | clue 0 | test_study_automata::test_a_clue_of_0_is_no_block |
| 003 slip | one branch only | test_study_automata::test_one_branch_is_enough |
| 003 slip | branches one by one | test_study_automata::test_state_sets_stay_small_where_branches_do_not |
| 003 slip | determinising is costly | test_study_automata::test_determinised_automata_are_small |
| 003 slip | rule 3 is vague | test_study_automata::test_rule_3_shrinks_a_range_next_to_a_foreign_cell |
| 003 slip | rule 2 for empty cells | test_study_automata::test_rule_2_has_no_counterpart_for_empty_cells |
| 003 slip | O(n^2) only with automata built beforehand | test_study_grids::test_the_validator_checks_every_line |
"""  # noqa: E501  # a table

from __future__ import annotations

import re
from importlib import import_module

import pytest

ROWS = re.findall(r"^\| (.+?) \| (.+) \| (\w+)::(\w+) \|$", __doc__ or "", re.MULTILINE)


@pytest.mark.parametrize("module", sorted({module for _, _, module, _ in ROWS}))
def test_the_tests_of_the_table_exist(module: str) -> None:
    found = vars(import_module(module))
    named = {test for _, _, where, test in ROWS if where == module}
    assert {test for test in named if not callable(found.get(test))} == set()


def test_every_slip_is_in_the_table() -> None:
    items = {item for item, _, _, _ in ROWS}
    assert {f"000.{number}" for number in range(1, 23)} <= items
    assert {f"000 {letter}" for letter in "ABCDEFGHIJ"} <= items
    assert {f"003 {number}" for number in range(1, 8)} <= items
    assert sum(item == "003 slip" for item, _, _, _ in ROWS) == 8
