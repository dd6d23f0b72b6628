"""Why our rating is fitted to all games at once, and what openskill says of the same games."""

from __future__ import annotations

from typing import Any

import numpy as np
import openskill.models
import pytest

from miaui_env.benchmark import rating


def rated(model: Any, ranks: list[int]) -> list[float]:
    """What one game makes of four equals."""
    teams = model.rate([[model.rating()] for _ in ranks], ranks=ranks)
    return [team[0].mu for team in teams]


def test_bradley_terry_full_takes_a_shared_first_place_for_what_it_is() -> None:
    model = openskill.models.BradleyTerryFull()
    clear, shared = rated(model, [1, 2, 3, 4]), rated(model, [1, 1, 3, 4])
    assert shared[0] == pytest.approx(shared[1]) == pytest.approx((clear[0] + clear[1]) / 2)
    assert shared[2:] == pytest.approx(clear[2:])


def test_plackett_luce_puts_joint_winners_level_with_the_third() -> None:
    """On the day this fails openskill has mended it, and the docs may say so."""
    shared = rated(openskill.models.PlackettLuce(), [1, 1, 3, 4])
    assert shared[0] == pytest.approx(shared[2])


def test_an_online_rating_depends_on_the_order_of_the_games_and_the_fit_does_not() -> None:
    strength = np.array([4.0, 2.0, 1.0])
    copies = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    luck = np.random.default_rng(0)
    games = [(a, b) for a in range(3) for b in range(a) for _ in range(200)]
    won = [luck.random() < strength[a] / (strength[a] + strength[b]) for a, b in games]
    orders = [np.arange(600), np.arange(600)[::-1]]
    online = np.array([_online(games, won, order) for order in orders])
    assert (online.argsort(1)[:, ::-1] == [0, 1, 2]).all(), "both find the order of strength"
    assert np.abs(online[0] - online[1]).max() > 0.1
    shares = np.zeros((1, 3, 3))
    for (a, b), first in zip(games, won, strict=True):
        shares[0, a + b - 1, a if first else b] += 1 / 200
    fitted = rating.strengths(copies, shares, 200)[0]
    assert fitted.argsort()[::-1].tolist() == [0, 1, 2]


def _online(games: Any, won: Any, order: np.ndarray) -> list[float]:
    model = openskill.models.BradleyTerryFull()
    players = [model.rating() for _ in range(3)]
    for i in order:
        a, b = games[i]
        pair = model.rate([[players[a]], [players[b]]], ranks=[1, 2] if won[i] else [2, 1])
        players[a], players[b] = pair[0][0], pair[1][0]
    return [player.mu for player in players]
