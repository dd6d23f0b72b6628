"""Ratings and cycles where the answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from miaui_env.benchmark import cycles, rating

MANY = 10**7
"""So many deals that the prior does not show."""
DUEL = np.array([[1, 1]])


def ratings(copies: np.ndarray, shares: np.ndarray, anchor: int | None = None) -> np.ndarray:
    """From shares `(matches, bots)`."""
    return np.asarray(rating.elo(rating.strengths(copies, shares[None], MANY), anchor)[0])


def test_three_wins_of_four_are_400_log10_of_3_points() -> None:
    one, other = ratings(DUEL, np.array([[0.75, 0.25]]), anchor=1)
    assert one == pytest.approx(400 * np.log10(3), abs=0.01) and other == 0


def test_a_shared_win_is_half_a_win_for_each_whatever_the_seats() -> None:
    """Two of three always share the win: they are equals, and the third is beaten by both."""
    shares = np.array([[0.5, 0.5, 0.0]])
    copies = np.array([[1, 1, 1]])
    found = rating.elo(rating.strengths(copies, shares[None], 100), None)[0]
    assert found[0] == pytest.approx(found[1]) and found[2] < found[0] - 400


def test_copies_at_a_table_win_their_part_each() -> None:
    """Alone among three copies of an equal, a quarter is what equals win."""
    copies = np.array([[1, 3], [3, 1]])
    assert ratings(copies, np.array([[0.25, 0.75], [0.75, 0.25]])) == pytest.approx(
        [0, 0], abs=0.01
    )
    twice = 2 / (2 + 3), 3 * 2 / (3 * 2 + 1)  # strength 2 against 1
    shares = np.array([[twice[0], 1 - twice[0]], [twice[1], 1 - twice[1]]])
    one, other = ratings(copies, shares)
    assert one - other == pytest.approx(400 * np.log10(2), abs=0.01)


def test_ratings_foretell_the_shares_they_come_from() -> None:
    strength = np.array([1.0, 3.0, 0.5, 8.0])
    copies = np.array([[1, 1, 1, 1], [1, 3, 0, 0], [0, 0, 2, 2], [3, 0, 0, 1]])
    shares = rating.expected(copies, strength)
    assert shares.sum(1) == pytest.approx(1)
    fitted = rating.strengths(copies, shares[None], MANY)[0]
    assert fitted / fitted[0] == pytest.approx(strength, rel=1e-3)


def test_who_never_won_has_a_rating_all_the_same() -> None:
    few, many = (
        rating.elo(rating.strengths(DUEL, np.array([[[1.0, 0.0]]]), deals), 0)[0, 1]
        for deals in (10, 1000)
    )
    assert -np.inf < many < few < -400


@pytest.mark.parametrize("spread", [0.1, 3.0, 8.0])
def test_the_fit_is_at_its_maximum_whatever_the_field(spread: float) -> None:
    """There each bot's total share is what the model expects, but for the prior."""
    luck = np.random.default_rng(int(spread))
    copies = luck.multinomial(4, np.ones(6) / 6, size=30)
    copies = copies[(copies > 0).sum(1) > 1]
    shares = rating.expected(copies, np.exp(spread * luck.normal(size=(50, 1, 6))))
    shares = luck.permuted(shares * (copies > 0), axis=0)  # and no longer any model's
    s = rating.strengths(copies, shares, 100)
    due = 100 * (shares.sum(2, keepdims=True) * rating.expected(copies, s[:, None, :])).sum(1)
    prior = rating.PRIOR * (s / (1 + s) - 0.5)
    assert due + prior == pytest.approx(100 * shares.sum(1), abs=1e-3)


def test_a_rock_paper_scissors_table_is_all_cycle_and_a_luce_table_has_none() -> None:
    rock = np.array([[np.nan, 0.2, 0.8], [0.8, np.nan, 0.2], [0.2, 0.8, np.nan]])
    advantage = cycles.advantages(rock[None], MANY, 2)
    assert cycles.cyclic_share(advantage)[0] == pytest.approx(1)
    s = np.array([1.0, 2.0, 5.0, 0.3])
    for seats in (2, 3, 4):
        alone = s[:, None] / (s[:, None] + (seats - 1) * s[None, :])
        np.fill_diagonal(alone, np.nan)
        advantage = cycles.advantages(alone[None], MANY, seats)
        assert cycles.cyclic_share(advantage)[0] == pytest.approx(0, abs=1e-9)
        assert advantage[0, 1, 0] == pytest.approx(np.log(2), abs=1e-4)


def test_both_parts_of_a_table_add_up() -> None:
    luck = np.random.default_rng(0).normal(size=(1, 5, 5))
    advantage = luck - luck.swapaxes(1, 2)
    part = cycles.cyclic(advantage)
    rest = advantage - part
    assert part.sum(2) == pytest.approx(0) and (part * rest).sum() == pytest.approx(0)
    whole = cycles.energy(part) + cycles.energy(rest)
    assert whole == pytest.approx(cycles.energy(advantage))


def test_sure_cycles_are_named_in_the_order_of_their_wins() -> None:
    low = np.full((4, 4), -1.0)
    low[0, 2] = low[2, 1] = low[1, 0] = 0.1  # 0 beats 2 beats 1 beats 0
    assert cycles.sure_cycles(low) == [(0, 2, 1)]
    low[1, 0] = -0.1
    assert cycles.sure_cycles(low) == []
