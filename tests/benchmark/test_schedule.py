"""The schedule of a field."""

from __future__ import annotations

from collections import Counter

import pytest

from miaui_env.benchmark.schedule import Match, schedule


def of_kind(kind: str, matches: list[Match]) -> list[tuple[str, ...]]:
    return [match.lineup for match in matches if match.kind == kind]


def test_each_bot_alone_among_copies_of_each_other_one() -> None:
    matches = schedule(["a", "b", "c"], 3)
    assert set(of_kind("duel", matches)) == {
        tuple(line) for line in ("abb", "acc", "baa", "bcc", "caa", "cbb")
    }
    assert of_kind("same", matches) == [("a",) * 3, ("b",) * 3, ("c",) * 3]


def test_with_two_seats_each_pair_meets_once_and_no_table_is_mixed() -> None:
    matches = schedule(["a", "b", "c"], 2, tables=5)
    assert of_kind("duel", matches) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert not of_kind("mixed", matches)


def test_mixed_tables_seat_different_bots_equally_often_by_the_seed() -> None:
    names = list("abcdefg")
    tables = of_kind("mixed", schedule(names, 4, tables=14, seed=3))
    assert all(len(set(table)) == 4 for table in tables)
    assert set(Counter(name for table in tables for name in table).values()) == {8}
    assert tables == of_kind("mixed", schedule(names, 4, tables=14, seed=3))
    assert tables != of_kind("mixed", schedule(names, 4, tables=14, seed=4))
    assert len(of_kind("mixed", schedule(names, 4))) == 7


def test_a_small_field_fills_its_mixed_tables_with_copies() -> None:
    tables = of_kind("mixed", schedule(["a", "b"], 4, tables=3))
    assert all(Counter(table) == {"a": 2, "b": 2} for table in tables)


@pytest.mark.parametrize(
    ("names", "tables", "complaint"),
    [
        ("a", 1, "two bots or more, not 1"),
        ("aba", 1, "'a' is in the field twice"),
        ("ab", -1, "mixed tables are 0 or more, not -1"),
    ],
)
def test_what_makes_no_sense_is_refused(names: str, tables: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        schedule(list(names), 3, tables)
