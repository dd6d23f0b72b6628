"""How kernels become part of a loop: linked first, then optimised and translated as one.

By itself numba optimises every function that it meets, together with all that it calls, and makes
machine code of it, although only loops are ever run. Here a kernel stops as a *part*, code for the
linker, and the loop that holds it makes its parts private before it is optimised: only then may
LLVM take a function apart that is called from one place, and no name of a part gets out to meet
another's of the same name. (Miaui, four seats, a step of 1024 tables: 209 ns a decision as numba
does it, 185 ns so; its first step with an empty cache: 24 s and 12 s of a busy core.)

This is numba's own way to change how it compiles (a pipeline with another lowering pass), around
parts of it that are not public; `constraints.txt` says which version was tested.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc, types
from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

_OF_NO_USE = (
    "WithLifting",
    "InlineClosureLikes",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "InlineOverloads",
    "NopythonRewrites",
)
"""Steps of numba that look for what kernels do not have: closures, comprehensions, contexts, sums
of whole arrays. Without them a first step of Miaui with an empty cache takes a fourteenth less."""


class _PartCode(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """Code that is only ever linked into a loop's."""

    def _optimize_final_module(self) -> None:
        """Left to the loop, which knows what is called with what."""

    def _finalize_final_module(self) -> None:
        """Ready to be linked; there is no machine code."""
        self._finalized = True


class _LoopCode(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """A loop with all its parts."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "private"  # `internal` keeps a name that the JIT would find
        # Loops here go over a handful of entries. (As numba does it, with loops in vectors, steps
        # of Miaui's 4,096 tables made 5.2 to 5.3 M decisions a second, so 5.5 M.)
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False)
        passes.run(self._final_module, builder)


def _count_from_the_front(state: Any) -> None:
    """Take indices for unsigned: a kernel never means the last entry by -1, so why ask each time?

    (Maui, two seats, a step of 1024 tables: 909 ns a decision with that question, 733 ns without.)
    """
    for block in state.func_ir.blocks.values():
        for step in [*block.find_exprs("getitem"), *block.find_insts(ir.SetItem)]:
            called = state.calltypes[step]
            array, index, *rest = called.args
            if isinstance(array, types.Buffer):
                del state.calltypes[step]  # whose entries may not be overwritten
                state.calltypes[step] = called.replace(args=(array, _unsigned(index), *rest))


def _unsigned(index: types.Type) -> types.Type:
    """The type of an index, or of a tuple of them, that is never negative; slices stay."""
    if isinstance(index, types.BaseTuple):
        return types.Tuple([_unsigned(part) for part in index])
    negative = isinstance(index, types.IntegerLiteral) and index.literal_value < 0
    return types.uintp if isinstance(index, types.Integer) and not negative else index


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]  # numba has no types
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a kernel, and offer its code to whoever calls it; there is nothing to execute."""
        state.library = _PartCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        _count_from_the_front(state)
        super().run_pass(state)
        about, environment = state.cr.fndesc, state.cr.env
        # Numba knows a function that was compiled by an object to call. This one leads nowhere.
        entry = _dynfunc.make_function(
            about.lookup_module(), about.qualname, "", 0, environment, (state.library,)
        )
        state.targetctx.insert_user_function(entry, about, [state.library])
        state.cr = state.cr._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoopLowering(NativeLowering):  # type: ignore[misc]  # numba has no types
    _name = "loop_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a loop, and translate it with its parts."""
        state.library = _LoopCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        _count_from_the_front(state)
        return bool(super().run_pass(state))


def _lowered_by(state: Any, lowering: type[NativeLowering]) -> list[PassManager]:
    """Numba's pipeline with another pass for its lowering, and without those that do nothing."""
    usual = DefaultPassBuilder.define_nopython_pipeline(state)
    pipeline = PassManager(lowering._name)
    for step, told in usual.passes:
        if step.__name__ not in _OF_NO_USE:
            pipeline.add_pass(lowering if step is NativeLowering else step, told)
    pipeline.finalize()
    return [pipeline]


class PartCompiler(CompilerBase):  # type: ignore[misc]  # numba has no types
    """Compiles a kernel as far as loops need it."""

    def define_pipelines(self) -> list[PassManager]:
        """One pipeline."""
        return _lowered_by(self.state, _PartLowering)


class LoopCompiler(CompilerBase):  # type: ignore[misc]  # numba has no types
    """Compiles a loop together with its kernels."""

    def define_pipelines(self) -> list[PassManager]:
        """One pipeline."""
        return _lowered_by(self.state, _LoopLowering)
