"""Nodes of search trees, for `search.py`: what they keep, how they choose, what they learn.

A node chooses by upper confidence bounds (Auer, Cesa-Bianchi and Fischer 2002; decoupled: Finnsson
and Björnsson 2008; a tree a seat: Cowling, Powley and Whitehouse 2012), or by regret matching (Hart
and Mas-Colell 2000; in trees: Lisý et al. 2013), whose *average* strategy is the result.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import draw

CONFIDENCE, REGRETS = 0, 1
"""How a node chooses."""
CHOICE = 1 << 37
"""Purpose of a choice in a tree; see `rng.draw`."""


class Tree(NamedTuple):
    """The nodes of all seats' trees, in one pool; node 0 is the decision that is searched.

    Attributes:
        slots: hash table of nodes; -1 is free; int32 `(power of two,)`.
        used: how many nodes there are; int64 `(1,)`.
        names: hash of what the seat has seen and done; uint64 `(nodes,)`.
        masks: its legal actions; int8 `(nodes, actions)`.
        tries: how often each was chosen; float64 `(nodes, actions)`.
        sums: win shares after it, added up; float64 `(nodes, actions)`.
        regrets: of not having chosen it; float64 `(nodes, actions)`, of one node if unused.
        plans: strategies so far, added up, later ones weighing more; likewise.
    """

    slots: Any
    used: Any
    names: Any
    masks: Any
    tries: Any
    sums: Any
    regrets: Any
    plans: Any


def tree_for(actions: int, nodes: int, rule: int) -> Tree:
    """An empty tree with room for so many nodes."""
    slots = 1 << (2 * nodes - 1).bit_length()
    matched = (nodes if rule == REGRETS else 1, actions)
    return Tree(
        np.full(slots, -1, np.int32),
        np.zeros(1, np.int64),
        np.zeros(nodes, np.uint64),
        np.empty((nodes, actions), np.int8),
        np.empty((nodes, actions)),
        np.empty((nodes, actions)),
        np.empty(matched),
        np.empty(matched),
    )


@kernel
def add_node(tree: Tree, name: Any, mask: Any) -> int:
    """A node without statistics."""
    node = tree.used[0]
    tree.used[0] += 1
    tree.names[node] = name
    for action in range(len(mask)):
        tree.masks[node, action] = mask[action]
        tree.tries[node, action] = 0.0
        tree.sums[node, action] = 0.0
        if node < len(tree.regrets):
            tree.regrets[node, action] = 0.0
            tree.plans[node, action] = 0.0
    return node


@kernel
def slot_of(tree: Tree, name: Any) -> int:
    """Where the node of that name stands in the hash table, or would."""
    last = len(tree.slots) - 1
    slot = np.int64(name >> np.uint64(32)) & last
    while tree.slots[slot] >= 0 and tree.names[tree.slots[slot]] != name:
        slot = (slot + 1) & last
    return slot


# --- choosing -----------------------------------------------------------------------------------


@kernel
def most_promising(tree: Tree, node: int, width: float, key: Any) -> int:
    """The action with the highest upper confidence bound; untried ones first, in any order."""
    actions = tree.masks.shape[1]
    visits = 0.0
    for action in range(actions):
        visits += tree.tries[node, action]
    spread = width * np.sqrt(np.log(max(visits, 1.0)))
    best = -1
    best_bound = 0.0
    start = draw(key, CHOICE, 0, actions)  # else all seats would try the same action together
    for i in range(start, start + actions):
        action = i if i < actions else i - actions
        if tree.masks[node, action]:
            tries = tree.tries[node, action]
            if tries == 0:
                return action
            bound = tree.sums[node, action] / tries + spread / np.sqrt(tries)
            if best < 0 or bound > best_bound:
                best = action
                best_bound = bound
    return best


@kernel
def match_regrets(tree: Tree, node: int, strategy: Any) -> int:
    """Probabilities proportional to positive regrets, even where none is; how many are legal."""
    total = 0.0
    number = 0
    for action in range(len(strategy)):
        strategy[action] = max(tree.regrets[node, action], 0.0)
        total += strategy[action]
        number += tree.masks[node, action]
    for action in range(len(strategy)):
        if total > 0.0:
            strategy[action] /= total
        else:
            strategy[action] = tree.masks[node, action] / number
    return number


@kernel
def exploration(tree: Tree, node: int, number: int, weight: float) -> float:
    """The share of choices that are any legal one: `weight` at first, less with every visit.

    Were it to stay, seats would answer each other's exploration rather than their play.
    """
    visits = 0.0
    for action in range(tree.masks.shape[1]):
        visits += tree.tries[node, action]
    return weight * np.sqrt(number / (number + 0.1 * visits))


@kernel
def by_regrets(tree: Tree, node: int, weight: float, strategy: Any, key: Any) -> int:
    """An action drawn by regret matching, now and then any legal one."""
    number = match_regrets(tree, node, strategy)
    explored = exploration(tree, node, number, weight)
    left = draw(key, CHOICE, 0, 1 << 31) / (1 << 31)
    chosen = -1
    for action in range(len(strategy)):
        if tree.masks[node, action]:
            left -= (1.0 - explored) * strategy[action] + explored / number
            chosen = action
            if left < 0.0:
                return chosen
    return chosen


@kernel
def learn_regrets(
    tree: Tree, node: int, chosen: int, share: float, weight: float, prior: float, strategy: Any
) -> None:
    """Add what each action would have brought above the strategy.

    An action's value is taken for its mean so far; that of the chosen one is corrected by what came
    out, over the probability of choosing it: unbiased, and far less scattered than without means.
    """
    number = match_regrets(tree, node, strategy)
    visits = 1.0
    value = 0.0
    for action in range(len(strategy)):
        visits += tree.tries[node, action]
        value += strategy[action] * mean_share(tree, node, action, prior)
    explored = exploration(tree, node, number, weight)
    chance = (1.0 - explored) * strategy[chosen] + explored / number
    surprise = (share - mean_share(tree, node, chosen, prior)) / chance
    value += strategy[chosen] * surprise
    for action in range(len(strategy)):
        if tree.masks[node, action]:
            tree.regrets[node, action] += mean_share(tree, node, action, prior) - value
            tree.plans[node, action] += visits * strategy[action]
    tree.regrets[node, chosen] += surprise


@kernel
def mean_share(tree: Tree, node: int, action: int, prior: float) -> float:
    """The mean share of the win after an action; `prior` while it is untried."""
    tries = tree.tries[node, action]
    return tree.sums[node, action] / tries if tries > 0 else prior


@kernel
def choose_in_tree(tree: Tree, node: int, rule: int, weight: float, strategy: Any, key: Any) -> int:
    """An action by the rule; `weight` is the bound's width, or the share of exploration."""
    if rule == REGRETS:
        return by_regrets(tree, node, weight, strategy, key)
    return most_promising(tree, node, weight, key)


@kernel
def learn(
    tree: Tree,
    node: int,
    action: int,
    rule: int,
    weight: float,
    share: float,
    prior: float,
    strategy: Any,
) -> None:
    """Count a seat's share of the win for its choice at a node."""
    if rule == REGRETS:
        learn_regrets(tree, node, action, share, weight, prior, strategy)
    tree.tries[node, action] += 1.0
    tree.sums[node, action] += share
