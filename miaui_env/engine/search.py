"""Playing on from what a seat knows, again and again: loops for bots that search, for any game.

One simulation is one game, played from a state that looks to the seat like the present one
(`resample`) to its end by the rules; what it teaches is each seat's share of the win. Nothing is
estimated on the way.

*Flat* (`try_out`): the seat's own actions in turn, in one and the same world and with the same
luck; all other moves are random.

*Tree* (`grow`): each seat has a tree of its own, of *information sets*: a node is all that the seat
has seen and done since the root, hashed. Seats choose at their own nodes by their own statistics,
those of one decision before any of them is played (decoupled). So nobody acts on what it does not
see, whichever world the simulation is in, and simultaneous choice is nothing special. That is sound
as far as the seat's observation is: under perfect recall it holds all that the seat knew at the
root, while a table view merges pasts that look the same, as the seat that holds it must. In each
simulation every tree grows by one node; beyond, moves are random. How a node
chooses: `trees.py`.
"""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from miaui_env.engine.compile import kernel, plain, specialise
from miaui_env.engine.loops import any_legal, rebuilt
from miaui_env.engine.rng import mix
from miaui_env.engine.rows import share_out
from miaui_env.engine.trees import Tree, add_node, choose_in_tree, learn, slot_of

if TYPE_CHECKING:
    from miaui_env.game import Game, Setup

    legal: Any
    play: Any
    observe: Any

FULL = -1
"""Stands for a node that there was no more room for."""


class Scratch(NamedTuple):
    """What a simulation is played on.

    Attributes:
        table: the state that is played on; record `(1,)`.
        seen: an observation, padded with zeros; int8. words: the same memory as uint64.
        mask, strategy: int8 and float64 `(actions,)`.
        shares, choices, names, inside: of each seat; float64, int64, uint64, bool.
        nodes, actions, seats: the way through the trees; int64.
    """

    table: Any
    seen: Any
    words: Any
    mask: Any
    strategy: Any
    shares: Any
    choices: Any
    names: Any
    inside: Any
    nodes: Any
    actions: Any
    seats: Any


def scratch_for(setup: Setup) -> Scratch:
    """Fresh memory for simulations at such a table."""
    seats, actions = setup.num_players, setup.num_actions
    seen = np.zeros(-(-setup.layout.size // 8) * 8, np.int8)
    way = np.zeros((3, seats * setup.longest), np.int64)
    return Scratch(
        setup.blank.copy(),
        seen,
        seen.view(np.uint64),
        np.zeros(actions, np.int8),
        np.zeros(actions),
        np.zeros(seats),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.uint64),
        np.zeros(seats, np.bool_),
        *way,
    )


# --- flat ---------------------------------------------------------------------------------------


def play_out(state: Any, mask: Any, key: Any, played: int, shares: Any) -> int:
    """Random moves to the end; writes win shares; returns `played` and the decisions made here."""
    while not state.over:
        for seat in range(state.num_players):
            if (np.int64(state.to_act) >> seat) & 1:
                legal(state, seat, mask)
                play(state, seat, any_legal(mask, mix(key, played)), key)
                played += 1
    share_out(state, -1, shares)
    return played


def try_out(
    worlds: Any,
    seat: int,
    key: Any,
    first: int,
    last: int,
    actions: Any,
    tries: Any,
    sums: Any,
    scratch: Scratch,
) -> int:
    """Simulations `first` to `last` of flat Monte Carlo; returns the decisions played.

    All the legal `actions` are tried in a world, with the same luck, before the next one's turn.
    """
    played = 0
    for simulation in range(first, last):
        luck = mix(key, simulation // len(actions))
        scratch.table[0] = worlds[(simulation - first) // len(actions)]
        action = actions[simulation % len(actions)]
        play(scratch.table[0], seat, action, luck)
        played += play_out(scratch.table[0], scratch.mask, luck, 1, scratch.shares)
        tries[action] += 1
        sums[action] += scratch.shares[seat]
    return played


# --- tree ---------------------------------------------------------------------------------------


@kernel
def hash_words(words: Any, key: Any) -> Any:
    """A hash of the key and all words; uint64."""
    for i in range(len(words)):
        key = mix(key, words[i])
    return key


def node_of(tree: Tree, state: Any, seat: int, scratch: Scratch) -> int:
    """The seat's node here, a new one if need be, in which case it has left its tree; or FULL."""
    observe(state, seat, scratch.seen)
    name = hash_words(scratch.words, scratch.names[seat])
    scratch.names[seat] = name
    slot = slot_of(tree, name)
    if tree.slots[slot] >= 0:
        return np.int64(tree.slots[slot])
    scratch.inside[seat] = False
    if tree.used[0] == len(tree.names):
        return FULL
    legal(state, seat, scratch.mask)
    node = add_node(tree, name, scratch.mask)
    tree.slots[slot] = node
    return node


def decide(
    tree: Tree, seat: int, rule: int, weight: float, key: Any, scratch: Scratch, length: int
) -> int:
    """Choose for a seat, in its tree as long as it is inside; returns the way's length."""
    state = scratch.table[0]
    node = node_of(tree, state, seat, scratch) if scratch.inside[seat] else FULL
    if node == FULL:
        legal(state, seat, scratch.mask)
        scratch.choices[seat] = any_legal(scratch.mask, key)
        return length
    action = choose_in_tree(tree, node, rule, weight, scratch.strategy, key)
    scratch.choices[seat] = action
    scratch.names[seat] = mix(scratch.names[seat], action)
    scratch.nodes[length] = node
    scratch.actions[length] = action
    scratch.seats[length] = seat
    return length + 1


def simulate(tree: Tree, rule: int, weight: float, key: Any, scratch: Scratch) -> int:
    """One game: in the trees, then at random, then back to what it taught; decisions played."""
    state = scratch.table[0]
    scratch.names[:] = 0
    scratch.inside[:] = True
    length = 0
    played = 0
    while not state.over and scratch.inside.any():
        owing = np.int64(state.to_act)
        for seat in range(state.num_players):
            if (owing >> seat) & 1:
                length = decide(tree, seat, rule, weight, mix(key, played), scratch, length)
                played += 1
        for seat in range(state.num_players):
            if (owing >> seat) & 1:
                play(state, seat, scratch.choices[seat], key)
    played = play_out(state, scratch.mask, key, played, scratch.shares)
    prior = 1.0 / len(scratch.shares)
    for i in range(length):
        share = scratch.shares[scratch.seats[i]]
        step = scratch.nodes[i], scratch.actions[i]
        learn(tree, step[0], step[1], rule, weight, share, prior, scratch.strategy)
    return played


def grow(
    worlds: Any,
    seat: int,
    key: Any,
    first: int,
    last: int,
    mask: Any,
    per_world: int,
    rule: int,
    weight: float,
    tree: Tree,
    scratch: Scratch,
) -> int:
    """Simulations `first` to `last` in the trees; returns the decisions played.

    Each world serves `per_world` of them. The first one empties the trees but for node 0, where the
    seat chooses by `mask` now.
    """
    played = 0
    if first == 0:
        tree.used[0] = 0
        tree.slots[:] = -1
        scratch.names[seat] = 0
        node_of(tree, worlds[0], seat, scratch)
        for action in range(len(mask)):  # as one assignment it would count references
            tree.masks[0, action] = mask[action]
    for simulation in range(first, last):
        scratch.table[0] = worlds[(simulation - first) // per_world]
        played += simulate(tree, rule, weight, mix(key, simulation), scratch)
    return played


_INNER = (share_out, play_out, node_of, decide, simulate)
_LOOPS = (try_out, grow)
_VERBS = ("legal", "play", "observe")


@functools.cache
def search_of(game: Game) -> types.SimpleNamespace:
    """The loops `try_out` and `grow` for one game; compiled, or loaded, when first called."""
    shared = {verb: getattr(game, verb) for verb in _VERBS}
    for inner in _INNER:
        shared[inner.__name__] = kernel(rebuilt(plain(inner), game.name, shared))
    return types.SimpleNamespace(
        **{loop.__name__: specialise(loop, game.name, **shared) for loop in _LOOPS}
    )
