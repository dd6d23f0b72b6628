"""A window that shows the table; where there can be none, words."""

from __future__ import annotations

import base64
from typing import Any

from miaui_env.render.raster import MissingExtra, png


class Window:
    """Shows one picture after the other. A copy of it is a new window, not opened yet."""

    def __init__(self) -> None:
        """Nothing is opened before there is something to show."""
        self._root: Any = None
        self._label: Any = None
        self._problem: str | None = None

    def __reduce__(self) -> tuple[type[Window], tuple[()]]:
        return Window, ()

    def show(self, svg: str, text: str, title: str) -> None:
        """Paint the picture, or print the text and, the first time, why."""
        if self._problem is None:
            self._problem = self._paint(svg, title)
            if self._problem:
                print(f"No window, so here is the table in words: {self._problem}")
        if self._problem:
            print(text)

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._root is not None:
            root, self._root = self._root, None
            root.destroy()

    def _paint(self, svg: str, title: str) -> str | None:
        """Returns what stands in the way: no tkinter, display or extra, or it was closed."""
        try:
            import tkinter
        except ImportError as missing:
            return str(missing)
        try:
            data = base64.b64encode(png(svg))
            self._open(tkinter, title)
            picture = tkinter.PhotoImage(data=data, master=self._root)
            self._label.configure(image=picture)
            self._label.image = picture  # else it is collected
            self._root.update()
        except (MissingExtra, tkinter.TclError) as problem:
            self._root = None
            return str(problem)
        return None

    def _open(self, tkinter: Any, title: str) -> None:
        if self._root is None:
            self._root = tkinter.Tk(className="miaui_env")
            self._root.title(title)
            self._label = tkinter.Label(self._root, borderwidth=0)
            self._label.pack()
