"""What learns, run from a checkout. It imports miaui_env, never the reverse."""

import os

# OpenMP's threads wait by spinning unless told otherwise, and where another program wants the same
# core all of torch waits for them: two threads on two busy cores made 2,500 steps/s spinning and
# 25,800 waiting politely. Read once, when torch is first imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
