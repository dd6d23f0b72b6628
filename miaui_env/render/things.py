"""More creatures and things, for any game: drawn around (0, 0), about 48 wide and 32 high."""

from __future__ import annotations

from miaui_env.render.palette import DARK_WOOD, GOLD, GREEN, INK, LEAF, PAPER, RED, WHITE, WOOD
from miaui_env.render.shapes import eye, fish
from miaui_env.render.svg import at, circle, ellipse, line, path, rect


def crab(colour: str) -> str:
    """With claws up."""
    legs = line("M-12 6L-21 12M-10 9L-16 16M12 6L21 12M10 9L16 16", colour, 2.6)
    arms = line("M-12 -1L-19 -8M12 -1L19 -8", colour, 3)
    claws = path("M-19 -8Q-27 -10 -22 -19Q-20 -14 -16 -17Q-13 -10 -19 -8Z", colour)
    claws += path("M19 -8Q27 -10 22 -19Q20 -14 16 -17Q13 -10 19 -8Z", colour)
    shell = ellipse(0, 4, 15, 10, colour, stroke=INK, stroke_width=1.2)
    face = eye(-5, -2) + eye(5, -2) + line("M-5 7Q0 11 5 7", INK, 1.3)
    return legs + arms + claws + shell + face


def octopus(colour: str) -> str:
    """A head on curling arms."""
    arms = "M-11 3Q-22 4 -20 13M-7 6Q-14 12 -9 17M0 7V17M7 6Q14 12 9 17M11 3Q22 4 20 13"
    head = path(
        "M-13 5Q-18 -18 0 -18Q18 -18 13 5Q0 11 -13 5Z", colour, stroke=INK, stroke_width=1.2
    )
    face = eye(-5, -5) + eye(5, -5) + line("M-3 2Q0 4 3 2", INK, 1.3)
    return line(arms, colour, 4.4) + head + face


def pufferfish(colour: str) -> str:
    """Round, with spines."""
    spines = "".join(f"M0 -14V-19M{x} {y}L{x * 1.3} {y * 1.3}" for x, y in _ROUND)
    tail = path("M-13 0L-23 -7V7Z", colour, stroke=INK, stroke_width=1.2)
    body = circle(0, 0, 15, colour, stroke=INK, stroke_width=1.2)
    belly = path("M-12 8Q0 2 12 8Q5 15 0 15Q-6 15 -12 8Z", WHITE, opacity=0.7)
    face = eye(7, -5, 4) + circle(13, 3, 2, INK)
    return tail + line(spines, INK, 1.6) + body + belly + face


_ROUND = ((-11, -10), (-14.5, 4), (-9, 12), (0, 15), (9, 12), (14.5, 4), (11, -10))


def bass(colour: str) -> str:
    """A sea bass: a long fish with a comb on its back and scales."""
    comb = path(
        "M-10 -10L-7 -18L-2 -12L2 -19L6 -12L11 -17L13 -10Z", colour, stroke=INK, stroke_width=1
    )
    scales = line("M-8 -5Q-4 0 -8 5M-2 -5Q2 0 -2 5M4 -5Q8 0 4 5", INK, 1, opacity=0.55)
    return comb + fish(colour, colour, scales, length=1.05)


def boot() -> str:
    """An old one."""
    shape = "M-9 -17H6V-1Q20 1 20 10V13H-9Z"
    leather = path(shape, "#7a5638", stroke=INK, stroke_width=1.4)
    sole = rect(-10, 12, 31, 4, "#3c2a1c", rx=1.5)
    laces = line("M0 -9H6M0 -4H6M1 1L8 2M-9 -12H6", "#d8b98f", 1.4)
    return leather + sole + laces + path("M11 3L15 7M15 3L11 7", stroke=PAPER, stroke_width=1.3)


def chest() -> str:
    """A treasure."""
    lid = path("M-20 -3Q-20 -16 0 -16Q20 -16 20 -3Z", WOOD, stroke=DARK_WOOD, stroke_width=1.6)
    box = rect(-20, -3, 40, 18, WOOD, rx=2, stroke=DARK_WOOD, stroke_width=1.6)
    bands = rect(-13, -14, 4, 29, GOLD) + rect(9, -14, 4, 29, GOLD)
    lock = rect(-4.5, -6, 9, 9, GOLD, rx=2, stroke=DARK_WOOD) + circle(0, -2, 1.6, DARK_WOOD)
    return lid + box + bands + lock


def milk() -> str:
    """A bottle for cats."""
    glass = "M-4 -17H4V-10Q9 -6 9 0V15H-9V0Q-9 -6 -4 -10Z"
    bottle = path(glass, "#eaf6fb", stroke=INK, stroke_width=1.4)
    inside = path("M-7.5 0H7.5V13.5H-7.5Z", WHITE)
    label = rect(-7.5, 3, 15, 7, "#7cc4e8") + rect(-5, -19, 10, 4, RED, rx=1)
    return bottle + inside + label


def waves(colour: str) -> str:
    """Three lines of water."""
    rows = "".join(f"M-20 {y}Q-15 {y - 7} -10 {y}T0 {y}T10 {y}T20 {y}" for y in (-7, 1, 9))
    return line(rows, colour, 3)


def palm(colour: str = LEAF) -> str:
    """A palm tree."""
    trunk = line("M-1 16Q4 4 1 -6", DARK_WOOD, 3.4)
    leaves = "M1 -6Q-9 -16 -18 -6Q-8 -9 1 -6ZM1 -6Q11 -16 20 -6Q10 -9 1 -6Z"
    leaves += (
        "M1 -6Q-10 -6 -13 5Q-6 -2 1 -6ZM1 -6Q12 -6 15 5Q8 -2 1 -6ZM1 -6Q-3 -16 5 -19Q5 -12 1 -6Z"
    )
    return trunk + path(leaves, colour)


def flower(colour: str) -> str:
    """Five petals around an eye."""
    petals = "".join(at(0, 0, ellipse(0, -9, 5.5, 8, colour), turn=72 * i) for i in range(5))
    return petals + circle(0, 0, 4.5, GOLD)


def turtle(colour: str = GREEN) -> str:
    """Seen from above."""
    legs = "".join(ellipse(x, y, 5, 3.4, colour) for x in (-11, 10) for y in (-11, 11))
    head = ellipse(21, 0, 6, 4.6, colour) + circle(23, -1.6, 1, INK) + circle(23, 1.6, 1, INK)
    shell = ellipse(0, 0, 17, 12.5, colour, stroke=INK, stroke_width=1.4)
    plates = line(
        "M-6 -6H6L11 0L6 6H-6L-11 0ZM-6 -6L-9 -10M6 -6L9 -10M-6 6L-9 10M6 6L9 10", INK, 1.2
    )
    return legs + head + shell + plates


def umbrella(colour: str) -> str:
    """A beach umbrella from above."""
    parts = "".join(at(0, 0, path("M0 0L-6.6 -16H6.6Z", colour), turn=90 * i) for i in range(4))
    return circle(0, 0, 17, WHITE, stroke=INK, stroke_width=1.2) + parts + circle(0, 0, 2.4, INK)


def pearl(colour: str) -> str:
    """A pearl with its shine."""
    return circle(0, 0, 12, colour, stroke=INK, stroke_width=1.4) + circle(
        -4, -4, 3.4, WHITE, opacity=0.85
    )


def coin() -> str:
    """A dollar."""
    rim = circle(0, 0, 14, GOLD, stroke="#9a6f0a", stroke_width=1.6)
    sign = "M5 -5Q3 -8 0 -8Q-5 -8 -5 -4Q-5 -1 0 0Q5 1 5 4.5Q5 8 0 8Q-4 8 -5.5 5M0 -11V11"
    return rim + line(sign, "#6b4c05", 2)
