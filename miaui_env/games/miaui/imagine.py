"""stub"""
from miaui_env.engine.compile import kernel
@kernel
def resample(state, seat, key):
    pass
def from_view(setup, view, key):
    raise NotImplementedError
