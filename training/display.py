"""What one sees of a run: a progress bar with live figures, and a line for each examination."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Display:
    """A progress bar for the terminal; in a log, only the lines that `tell` prints.

    Attributes:
        figures: the latest win share against each yardstick.
    """

    def __init__(self, title: str, total: int, console: Console | None = None) -> None:
        """`total` is how many steps the run takes."""
        self.figures: dict[str, float] = {}
        self.console = console or Console()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(24),
            TaskProgressColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self.console,
        )
        self._task = self._progress.add_task(title, total=total, speed="")
        self._speed = 0.0

    def __enter__(self) -> Display:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop drawing."""
        self._progress.stop()

    def advance(self, steps: int, speed: float) -> None:
        """The bar stands at `steps`, at `speed` a second."""
        self._speed = speed
        self._progress.update(self._task, completed=steps, speed=f"{speed:,.0f} steps/s")

    def tell(self, steps: int) -> None:
        """The figures, as a line of their own."""
        shares = ", ".join(f"{name} {share:.2f}" for name, share in self.figures.items())
        self._progress.update(self._task, completed=steps)
        self.console.print(
            f"{steps:>12,} steps  {self._speed:>7,.0f} steps/s  win share against {shares}",
            highlight=False,
        )

    def warn(self, problem: str) -> None:
        """Something that who trains should know, as a line of its own."""
        self.console.print(f"[yellow]{problem}[/yellow]", highlight=False)
