"""The running average of the learner's weights: steadier than the learner, and what is exported.

Against players that learn as well, play goes round its aim in circles; the average is nearer to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from training.policy import MaskedPolicy, weights_of


class Average:
    """An average in which weights of n updates ago count `decay` ** n.

    Attributes:
        weights: the average, by name.
    """

    def __init__(self, decay: float, policy: MaskedPolicy) -> None:
        """Begin with the policy as it is."""
        self.decay, self.weights = decay, weights_of(policy)

    def take_in(self, policy: MaskedPolicy, update: int) -> None:
        """Count the weights after that many updates in; the first ones are soon forgotten."""
        decay = min(self.decay, (1 + update) / (10 + update))
        for name, part in weights_of(policy).items():
            self.weights[name].lerp_(part, 1.0 - decay)

    def put_back(self, weights: Mapping[str, Tensor]) -> None:
        """Go on from an average that a checkpoint held."""
        self.weights = {name: part.clone() for name, part in weights.items()}
