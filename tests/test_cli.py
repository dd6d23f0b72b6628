"""The `miaui` command, as people type it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

import miaui_env
from miaui_env.__main__ import app, expanded, option_meanings
from miaui_env.benchmark import Result
from miaui_env.game import option_names
from miaui_env.games.miaui.pieces import Options


@dataclass
class Answer:
    """What a command said and how it ended."""

    out: str
    err: str
    code: int


def miaui(line: str, typed: str = "", width: int = 120) -> Answer:
    """Run `miaui <line>` with `typed` on the keyboard."""
    runner = CliRunner(env={"COLUMNS": str(width), "TERM": "dumb"})
    got = runner.invoke(app, expanded(line.split()), input=typed)
    if got.exception is not None and not isinstance(got.exception, SystemExit):
        raise got.exception
    return Answer(got.stdout, got.stderr, got.exit_code)


# --- bots after one flag ------------------------------------------------------------------------


def test_several_bots_follow_one_flag() -> None:
    typed = "arena miaui --bots a b --deals 3 --bots c --bots=d e --seed 1"
    meant = "arena miaui --bots=a --bots=b --deals 3 --bots=c --bots=d --bots=e --seed 1"
    assert expanded(typed.split()) == meant.split()
    assert expanded(["games"]) == ["games"]


def test_several_files_follow_one_flag() -> None:
    typed = "benchmark --algo-results a.json b.json --page x.md"
    meant = "benchmark --algo-results=a.json --algo-results=b.json --page x.md"
    assert expanded(typed.split()) == meant.split()


# --- games --------------------------------------------------------------------------------------


def test_games_lists_every_game_with_each_option_and_bot() -> None:
    told = miaui("games")
    assert told.code == 0
    for name in miaui_env.games():
        game = miaui_env.find(name)
        meanings = option_meanings(game.options)
        assert game.title in told.out and all(bot in told.out for bot in ("random", *game.bots))
        for option in option_names(game):
            assert option in told.out and meanings[option].split(";")[0][:40] in told.out
    assert "perfect_recall" in told.out


def test_meanings_come_from_the_docstring_also_over_two_lines() -> None:
    class Chosen:
        """Options.

        Attributes:
            first: one
                and a half.
            second: two: too.
        """

    assert option_meanings(Chosen) == {"first": "one and a half.", "second": "two: too."}
    assert option_meanings(int) == {}
    assert set(option_meanings(Options)) == set(Options.__dataclass_fields__)


# --- arena --------------------------------------------------------------------------------------


def test_arena_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    told = miaui(f"arena miaui --bots lowest random --players 3 --deals 20 --seed 4 --json {file}")
    assert told.code == 0 and "Figure(" not in told.out
    assert (
        "20 deals × 3 rotations: 60 games requested, 60 finished, 0 forfeited, 0 failed" in told.out
    )
    assert "equal share 0.333" in told.out
    result = Result.from_json(json.loads(file.read_text()))
    assert result.lineup == ("lowest", "random", "random") and result.seed == 4
    assert result.bots[0].win_share.words(3) in told.out
    assert list(tmp_path.iterdir()) == [file]


def test_json_on_stdout_leaves_the_table_to_stderr() -> None:
    told = miaui("arena miaui --bots random --deals 2 --json -")
    assert Result.from_json(json.loads(told.out)).counts.requested == 8
    assert "win share" in told.err


def test_arena_tables_fit_80_columns() -> None:
    line = "arena miaui --players 3 --bots checkpoints/../checkpoints/miaui/ppo-4p random --deals 3"
    told = miaui(line.replace("--players 3", "--players 4"), width=80)
    assert told.code == 0 and max(map(len, told.out.splitlines())) <= 80
    assert "ms/move" in told.out and "rank" in told.out


def test_arena_replaces_a_bot_on_the_same_deals() -> None:
    line = "arena miaui --players 3 --bots lowest random --instead lowest~0.5 --deals 4"
    told = miaui(line, width=80)
    assert "lowest~0.5 in place of lowest, among 2 × random, paired by deal:" in told.out
    assert "rank credit" in told.out and told.out.count("12 games requested") == 2
    data = json.loads(miaui(f"{line} --json -").out)
    assert data["schema"] == "miaui_env.replacement/1"


def test_a_tournament_is_reported_from_its_json(tmp_path: Path) -> None:
    log, file, drawn = tmp_path / "log", tmp_path / "found.json", tmp_path / "pictures"
    line = f"tournament miaui --players 2 --bots lowest random --deals 4 --log {log} --json {file}"
    told = miaui(line, width=80)
    assert told.code == 0 and "Pay-offs" in told.out
    again = miaui(f"report {file} --pictures {drawn}")
    assert again.out == told.out
    assert {path.name for path in drawn.iterdir()} == {"payoff.svg", "ratings.svg"}
    assert "| bot |" in miaui(f"report {file} --markdown").out
    assert "seed is 0" in miaui(f"{line} --seed 1").err


def test_a_gate_says_what_it_decided_and_that_its_figures_are_biased() -> None:
    passed = miaui("gate miaui greedy random --players 2")
    assert passed.code == 0 and passed.out.startswith("accept: greedy for random")
    assert "deals used, gate seed 0" in passed.out and "figures are biased" in passed.out
    refused = miaui("gate miaui random greedy --players 2 --json -")
    assert refused.code == 1 and json.loads(refused.out)["decision"] == "refuse"


def test_options_reach_the_game() -> None:
    line = "arena miaui --players 2 --bots random lowest~0.5 --deals 2 --perfect-recall --json -"
    told = miaui(f"{line} --option hand_size=5 --option open-baskets=true --option kiti=1")
    setup = json.loads(told.out)["setup"]
    assert (setup["hand_size"], setup["open_baskets"], setup["kiti"]) == (5, True, 1)
    assert setup["perfect_recall"] is True and setup["num_players"] == 2


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("arena mioui --bots random", "no game 'mioui' (did you mean 'miaui'?)"),
        ("arena miaui --bots grumpy", "no bot 'grumpy'"),
        ("arena miaui --bots random~2", "the share of random moves is 0 to 1, not 2.0"),
        ("arena miaui --bots random --players 9", "Miaui takes 2 to 6 players, not 9"),
        ("arena miaui --bots a b c d e", "4 seats take 1 to 4 bots, not 5"),
        ("arena miaui --bot random", "no option '--bot' (did you mean '--bots'?)"),
        ("arena miaui --bots gredy", "no bot 'gredy' (did you mean 'greedy'?)"),
        ("arena miaui --bots miaui/ppo-4", "(did you mean 'miaui/ppo-4p'?)"),
        ("arena miaui --bots random --deals many", "Invalid value for '--deals'"),
        ("arena", "Missing argument 'GAME'"),
        ("aren miaui", "No such command 'aren'. Did you mean 'arena'?"),
        ("arena miaui --bots random --option num_players=3", "say --players 3, not --option"),
        ("arena miaui --bots random --option num_playrs=3", "did you mean 'num_players'?"),
        ("arena miaui --bots random --move-limit 0", "more than 0 seconds, not 0.0"),
        ("arena miaui --bots random --seating all", "seating is one of 'auto', 'rotations'"),
        ("arena miaui --bots random --instead gredy", "did you mean 'greedy'?"),
        ("tournament miaui --bots random --log never-written.jsonl", "two bots or more, not 1"),
        (
            "tournament miaui --bots random random --log never-written.jsonl",
            "'random' is in the field twice",
        ),
        ("tournament miaui --bots random lowest --log /no/such/x", "cannot write"),
        ("tournament miaui --bots random lowest", "Missing option '--log'"),
        ("gate miaui greedy greedy", "both are 'greedy'"),
        ("gate miaui greedy random --margin 2", "the margin is more than 0"),
        ("report /no/such/file.json", "No such file"),
        ("report pyproject.toml", "pyproject.toml is no JSON"),
        ("arena miaui --bots random --option hand_sizes=3", "did you mean 'hand_size'?"),
        ("arena miaui --bots random --option hand_size=13", "hand_size is 1 to 12, not 13"),
        (
            "arena miaui --bots random --option hand_size",
            "an option is NAME=VALUE, not 'hand_size'",
        ),
        ("arena miaui --bots random --deals 0", "deals and workers are 1 or more"),
        ("arena miaui --bots random --purpose fame", "purpose is one of 'development'"),
        ("arena miaui --bots random --json /no/such/folder/x.json", "cannot write"),
        ("bench --repeats 0", "repeats is 1 or more, not 0"),
        ("play miaui --seat 4", "seats are 0 to 3, not 4"),
        ("transcript mioui", "did you mean 'miaui'?"),
        ("transcript miaui --every 0", "every is 1 or more, not 0"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(line: str, complaint: str) -> None:
    told = miaui(line)
    assert told.code == 2 and complaint in told.err
    assert told.out == "" and len(told.err.splitlines()) == 1


# --- play ---------------------------------------------------------------------------------------


def test_a_whole_game_is_played_in_words() -> None:
    typed = "".join(f"{card}\n" for card in range(1, 13))
    told = miaui("play miaui --players 2 --bots highest --seed 3", typed)
    assert told.code == 0 and told.out.count("Your divers:") == 12
    assert "Points: seat 0 (you) " in told.out and "seat 1 (highest) " in told.out
    assert told.out.rstrip().endswith("The same deal again: --seed 3")


def test_a_bad_answer_is_asked_again_with_the_reason() -> None:
    told = miaui("play miaui --bots random --seed 3", "7\n7\nfish\n?\ndive 3\nquit\n")
    assert "You may: dive 1, dive 2, dive 3, dive 4, dive 5, dive 6, dive 8" in told.out
    assert "say a diver card, 1 to 12, as in 'dive 7'; not 'fish'" in told.out
    assert told.code == 0 and "Goodbye." in told.out and told.out.count("Your divers:") == 3


def test_the_end_of_input_is_a_goodbye() -> None:
    told = miaui("play miaui")
    assert told.code == 0 and "Goodbye." in told.out


def test_ctrl_c_is_a_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("rich.console.Console.input", pressed)
    told = miaui("play miaui")
    assert told.code == 0 and "Goodbye." in told.out
    monkeypatch.setattr("miaui_env.benchmark.play_lineup", pressed)
    assert miaui("arena miaui --bots random").code == 130


def test_another_seat_sees_its_own_hand_and_nobody_elses() -> None:
    told = miaui("play miaui --seat 2 --seed 3 --players 3 --bots lowest highest", "5\nquit\n")
    assert "you seat 2" in told.out and "hand 1 2" not in told.out
    assert "last dives: seat 0 1, seat 1 12, seat 2 5" in told.out


# --- transcript ---------------------------------------------------------------------------------


def test_a_transcript_begins_with_the_command_that_prints_it() -> None:
    told = miaui("transcript miaui --seed 5 --perfect-recall --option kiti=1 --players 3")
    assert told.code == 0 and told.err == ""
    first = told.out.splitlines()[0]
    line = "transcript miaui --players 3 --option kiti=1 --perfect-recall --seed 5"
    assert first == f"$ miaui {line}"
    assert miaui(line).out == told.out
    assert miaui(line.replace("--seed 5", "--seed 6")).out != told.out


def test_a_transcript_shows_everybody_and_how_it_ended() -> None:
    told = miaui("transcript miaui --players 3 --option hand_size=4").out
    assert told.count("The referee sees") == 5 and told.count("dive ") >= 12
    assert all(told.count(f"Seat {seat} sees") >= 2 for seat in range(3))
    assert "open_baskets" not in told and "  legal    0-3\n" in told
    assert [line.split()[0] for line in told.splitlines()[-3:]] == ["Points", "Win", "Rewards"]


def test_a_transcript_can_look_now_and_then() -> None:
    often, seldom = (miaui(f"transcript miaui --every {every}").out for every in (1, 5))
    moves = [[x for x in told.splitlines() if x.startswith("Moves")] for told in (often, seldom)]
    assert moves[0] == moves[1] and len(moves[0]) == 12
    assert often.count("--- Decision") == 12 and seldom.count("--- Decision") == 3
    assert "Decision 6 " in seldom and "--every 5" in seldom.splitlines()[0]


# --- the program --------------------------------------------------------------------------------


def test_help_lists_the_commands() -> None:
    told = miaui("--help")
    assert told.code == 0
    assert all(
        command in told.out
        for command in ("games", "arena", "tournament", "report", "gate", "bench", "replay")
    )
    assert miaui_env.__version__ in miaui("--version").out


def test_as_a_module_in_a_process_of_its_own() -> None:
    line = "arena miaui --bots lowest random --players 2 --deals 3 --json -"
    command = [sys.executable, "-m", "miaui_env", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["counts"]["finished"] == 6
    assert "games ━" not in done.stderr, "no progress bar where there is no terminal"


def test_the_command_loads_nothing_heavy() -> None:
    code = (
        "import sys, miaui_env.__main__; print({'torch', 'onnxruntime', 'jax'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
