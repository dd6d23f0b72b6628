"""The one place where Python becomes machine code.

`kernel` marks a function that other kernels call. `specialise` rebuilds a *loop* (a function
written once, in `loops.py` or `bots/`) with one game's kernels as its globals, compiles it with all
of them as one piece (see `parts.py`) and keeps the result on disk. Only loops are kept, and each in
a folder named by a hash of everything its machine code depends on, because numba's own `cache=True`
looks at one file's time stamp: it keeps old code after an edit in a callee's file (numba #1833) and
cannot tell apart two games whose records have the same shape.

With `NUMBA_DISABLE_JIT=1` both return plain Python functions that play the same games.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import gc
import hashlib
import os
import shutil
import stat
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
import platformdirs
from filelock import FileLock
from numba import config, njit, typeof
from numba import types as numba_types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.extending import _Intrinsic, typeof_impl

from miaui_env.engine import parts

F = TypeVar("F", bound=Callable[..., Any])

KEPT_FOLDERS = 256
"""Compiled loops kept on disk; the least recently used ones go first."""

_ONE_AT_A_TIME = threading.RLock()  # numba's settings are narrowed while a loop is compiled
_FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
_OURS = [Path(__file__).with_name(name).read_bytes() for name in ("parts.py", "desk.py")]
_PIPELINE = hashlib.sha256(b"".join(_OURS)).hexdigest()
"""Of what we add to numba, and loops do not name."""
_PLAIN = (bool, int, float, str, tuple, type(None), np.generic, np.dtype)
_ALLOCATES = ("NRT required", "Only accept returning of array passed into")
"""What numba says of code that makes an array where references are not counted."""
_LIBRARIES = ("builtins", "ctypes", "llvmlite", "math", "numba", "numpy", "typing")
_OPTIONS = {"error_model": "numpy"}
# Without numba's counting of references an observation of Miaui takes 115 ns and not 197.
_LOOP_OPTIONS = {**_OPTIONS, "nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
_PART_OPTIONS = {"_nrt": False, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}


class Kernel:
    """A function that is compiled into the loops that call it, directly or through other kernels.

    Called from Python it runs as machine code of its own, compiled then and not kept.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        """`options` are numba's, beside those that all kernels have."""
        functools.update_wrapper(self, function)
        self.__qualname__: str = function.__qualname__
        self.py_func = function
        self.options = {**_OPTIONS, **_PART_OPTIONS, **options}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel by itself."""
        return self._alone(*arguments)

    @functools.cached_property
    def part(self) -> Dispatcher:
        """What loops that call it are compiled with; a process that compiles none needs none."""
        return njit(pipeline_class=parts.PartCompiler, **self.options)(self.py_func)

    @functools.cached_property
    def _alone(self) -> Dispatcher:
        return njit(**_OPTIONS)(self.py_func)

    def __reduce__(self) -> str:
        """Pickled and copied as functions are: by name."""
        return self.__qualname__


@typeof_impl.register(Kernel)  # type: ignore[untyped-decorator]  # numba has no types
def _typeof_kernel(value: Kernel, _: Any) -> Any:
    """To numba a kernel is its part."""
    return numba_types.Dispatcher(value.part)


def kernel(function: F) -> F:
    """Mark a function for use inside other kernels and loops; it may not allocate memory."""
    return function if config.DISABLE_JIT else cast(F, Kernel(function))


def allocating(function: F) -> F:
    """Mark a kernel that makes arrays, or copies an array into part of another."""
    return function if config.DISABLE_JIT else cast(F, Kernel(function, _nrt=True))


def specialise(
    loop: Callable[..., Any],
    name: str,
    *,
    allocates: bool = False,
    **kernels: Any,
) -> Callable[..., Any]:
    """Rebuild `loop` with `kernels` as globals and compile it, kept on disk.

    Args:
        loop: a plain function; the names in `kernels` are looked up as globals in its body.
        name: whose loop it is (a game or bot); with the loop's it labels the code and its folder.
        allocates: the loop itself makes arrays, or copies an array into part of another.
        **kernels: what the loop's free names mean here.

    Returns:
        A callable with the loop's signature, compiled at its first call.
    """
    built = types.FunctionType(
        loop.__code__, {**loop.__globals__, **kernels}, loop.__name__, loop.__defaults__
    )
    built.__qualname__ = f"{name}.{loop.__name__}"
    built.__doc__ = loop.__doc__
    return built if config.DISABLE_JIT else Loop(built, allocates=allocates)


def direct(loop: Callable[..., Any]) -> Callable[..., Any]:
    """What a loop that has been called before comes to; a call takes 0.4 µs less so."""
    return getattr(loop, "compiled", None) or loop


def plain(compiled: Any) -> Callable[..., Any]:
    """The Python function behind a kernel, to ask about a single record now and then.

    Python would compile a kernel for a record in every process; only loops are kept.
    """
    function: Callable[..., Any] = getattr(compiled, "py_func", compiled)
    return function


class Loop:
    """A loop that is compiled, or loaded from disk, when it is first called."""

    def __init__(self, function: types.FunctionType, *, allocates: bool = False) -> None:
        """Name the folder for `function` now, while everything it reaches exists."""
        self.__name__, self.__doc__ = function.__qualname__, function.__doc__
        self.function = function
        self._flags = {**_LOOP_OPTIONS, "_nrt": allocates}
        self.fingerprint = fingerprint(function, **self._flags)
        self.compiled: Dispatcher | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        if self.compiled is None:
            with _ONE_AT_A_TIME:
                self.compiled = self.compiled or self._compile(tuple(map(typeof, arguments)))
        return self.compiled(*arguments)

    def _compile(self, signature: tuple[Any, ...]) -> Dispatcher:
        """Load or compile for `signature`; one process at a time does the work."""
        folder = self._folder()
        if folder is None:
            return self._built(signature, None)
        with FileLock(_lock_of(folder), mode=0o600):
            try:
                compiled = self._built(signature, folder)
            except NumbaError:  # the code itself is at fault
                raise
            except Exception:  # a damaged file, whatever reading it raised
                shutil.rmtree(folder, ignore_errors=True)
                compiled = self._built_somehow(signature, folder)
            if folder.exists():
                os.utime(folder)
        _prune(folder.parent)
        return compiled

    def _built_somehow(self, signature: tuple[Any, ...], folder: Path) -> Dispatcher:
        """Kept in `folder` if that can be written, as it cannot on a full disk."""
        try:
            return self._built(signature, folder)
        except OSError as error:
            _warn_unkept(folder, error)
            return self._built(signature, None)

    def _built(self, signature: tuple[Any, ...], folder: Path | None) -> Dispatcher:
        """A dispatcher with exactly one signature, its code kept in `folder` if there is one."""
        if folder is None:
            dispatcher = self._decorated()
        else:
            # numba must not choose another folder by itself, so its choice is narrowed meanwhile.
            before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), "UserProvidedCacheLocator"
            try:
                dispatcher = self._decorated(cache=True)
            finally:
                config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
        try:
            with _without_collecting():
                dispatcher.compile(signature)
        except NumbaError as error:
            if any(words in str(error) for words in _ALLOCATES):
                error.add_note("A kernel makes an array: mark it with `allocating`.")
            raise
        dispatcher.disable_compile()
        return dispatcher

    def _decorated(self, **options: Any) -> Dispatcher:
        """Numba's dispatcher."""
        return njit(pipeline_class=parts.LoopCompiler, **self._flags, **options)(self.function)

    def _folder(self) -> Path | None:
        root = cache_root()
        return None if root is None else root / f"{self.__name__}-{self.fingerprint[:20]}"


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Numba makes a great many objects that live on: to look for garbage takes 4 % more time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def fingerprint(function: Callable[..., Any], **options: Any) -> str:
    """Hash all that the machine code of `function`, compiled with `options`, depends on.

    That is its bytecode and constants, and through its globals those of all it calls, with the
    arrays and enums they read and the options they are compiled with; the versions of numba,
    llvmlite and NumPy; numba's settings; `parts.py` and `desk.py`. Returns a hexadecimal sha256.
    """
    flags = [(flag, getattr(config, flag, None)) for flag in _FLAGS]
    versions = numba.__version__, llvmlite.__version__, np.__version__, _PIPELINE
    digest = hashlib.sha256(repr((versions, sorted(options.items()), flags)).encode())
    seen: set[Any] = set()
    waiting = [getattr(function, "py_func", function)]
    while waiting:
        body = waiting.pop()
        if body not in seen:
            seen.add(body)
            own, called = _read(body)
            digest.update(own)
            waiting += called
    return digest.hexdigest()


@functools.cache  # a game's loops share most of what they call
def _read(body: types.FunctionType) -> tuple[bytes, list[Any]]:
    """A hash of a function's own code and of the globals that it reads; and what it calls."""
    parts = [(body.__qualname__, body.__defaults__), *_code_parts(body.__code__)]
    called = []
    closure = [("closure", cell.cell_contents) for cell in body.__closure__ or ()]
    known = body.__globals__
    read = [(name, known[name]) for name in _names(body.__code__) if name in known]
    for name, value in [*closure, *read]:
        function = _function_of(value)
        if function is None:
            parts.append((name, _described(name, value)))
        else:
            options = sorted(getattr(value, "options", {}).items())
            parts.append((name, "calls", function.__qualname__, options))
            called.append(function)
    return hashlib.sha256(repr(parts).encode()).digest(), called


def _function_of(value: Any) -> types.FunctionType | None:
    """The Python function behind a kernel, an intrinsic or itself; None for all else."""
    body = value._defn if isinstance(value, _Intrinsic) else getattr(value, "py_func", value)
    return body if isinstance(body, types.FunctionType) and not _of_a_library(body) else None


def _code_parts(code: types.CodeType) -> list[Any]:
    """Bytecode and constants, those of functions defined inside too."""
    parts: list[Any] = [(code.co_code, code.co_names, code.co_varnames, code.co_argcount)]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            parts += _code_parts(constant)
        else:
            parts.append(
                sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant
            )
    return parts


def _names(code: types.CodeType) -> list[str]:
    """Global (and attribute) names in `code` and in functions defined inside it."""
    inner = [name for c in code.co_consts if isinstance(c, types.CodeType) for name in _names(c)]
    return [*code.co_names, *inner]


def _of_a_library(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").split(".")[0] in _LIBRARIES


def _described(name: str, value: Any) -> str:
    """What a kernel can know of a global that is no kernel; refuse what cannot be told."""
    if isinstance(value, np.ndarray):
        return f"{hashlib.sha256(value.tobytes()).hexdigest()} {value.dtype!r} {value.shape}"
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return repr([(member.name, member.value) for member in value])
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, types.ModuleType) and value.__name__.split(".")[0] in _LIBRARIES:
        return value.__name__
    if isinstance(value, type) or (callable(value) and _of_a_library(value)):
        return str(value.__qualname__)
    if type(value).__module__.startswith("numba."):  # an intrinsic, say
        return repr(getattr(value, "__name__", type(value).__qualname__))
    raise TypeError(
        f"a kernel reads the global {name!r}, a {type(value).__name__}, whose changes the "
        "code cache could not see; use numbers, strings, tuples, enums, arrays or kernels, "
        "imported by name"
    )


@functools.cache
def cache_root() -> Path | None:
    """The folder that holds compiled loops: `NUMBA_CACHE_DIR`, else the user's own cache folder.

    None, after one warning, where neither can be written: loops are then compiled in each process.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("miaui_env") / "kernels"
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = root / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        if not chosen:
            _refuse_a_shared(root)
    except OSError as error:
        _warn_unkept(root, error)
        return None
    return root


def _warn_unkept(folder: Path, error: OSError) -> None:
    warnings.warn(
        f"compiled game code cannot be kept in {folder} ({error}); each process compiles anew. "
        "Set NUMBA_CACHE_DIR to a folder of your own to mend this.",
        RuntimeWarning,
        stacklevel=3,
    )


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _refuse_a_shared(root: Path) -> None:
    """Loading compiled code runs it, so nobody else may be able to write where it lies."""
    about = root.stat()
    if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & stat.S_IWOTH):
        raise PermissionError("others may write there")


def _prune(root: Path) -> None:
    """Drop the least recently used folders beyond `KEPT_FOLDERS`."""
    folders = sorted(
        (path for path in root.iterdir() if path.is_dir()), key=_last_use, reverse=True
    )
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)
        _lock_of(folder).unlink(missing_ok=True)


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process has just dropped it
        return 0.0
