"""Each law runs over every setup of every game."""

from __future__ import annotations

import pytest

from miaui_env import Setup
from tests.laws.play import name_of, setups


@pytest.fixture(params=setups(), ids=name_of)
def setup(request: pytest.FixtureRequest) -> Setup:
    chosen: Setup = request.param
    return chosen
