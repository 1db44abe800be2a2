"""The top-level definitions of a package that a command can reach.

A command is a module that is run: it reaches the names in its `if __name__ == "__main__"` block. A definition
reaches the names in it: functions, classes (whole, with bases and decorators) and constants, of its module or
imported, also in annotations. An imported module reaches whatever its import executes: its statements other
than definitions, and definitions that may do more than bind a name, such as one with a decorator of this
package. Where a name cannot be determined, all names count: a module passed on as a value, `eval` and
`globals` count as the whole module, `importlib` and `sys.modules` as the whole package. `getattr` needs no
such rule: all methods of an object count, and for a module the module itself is named.
"""

import gc
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from workflow_scripts.core.statements import PURE_BASES, Module, Statement, Target, read_module

Node = tuple[str, str]
"""A module and a name in it, or one of these in its place."""
IMPORTED, WHOLE, MAIN = "<imported>", "<whole>", "<main>"
# Names that can lead to any name of their module, and to any module.
ANY_NAME = {"eval", "globals"}
ANY_MODULE = {"__import__", "compile", "exec"}
ANY_MODULE_OF = ("importlib.import_module", "importlib.reload", "importlib.util", "runpy", "sys.modules")


class Package:
    """The modules below a folder, read when they are needed, and only once."""

    def __init__(self, folder: Path) -> None:
        """`folder`: of the package; its name is the package's."""
        self.folder, self.name = folder, folder.name
        self._modules: dict[str, Module | None] = {}
        self._next: dict[Node, tuple[Node, ...]] = {}

    def definitions(self, command: str) -> frozenset[str]:
        """The definitions that a command reaches, as dotted names below the package."""
        return frozenset(
            f"{module}.{name}".removeprefix(f"{self.name}.")
            for module, name in self._reached(command)
            if name in self._read(module).bound
        )

    def digest(self, command: str) -> str:
        """A digest of everything that a command reaches.

        Comments, docstrings, layout and the order of definitions leave it unchanged, and so do definitions
        that the command does not reach. Raises ValueError if there is no such module.
        """
        total = hashlib.sha256()
        for module, name in sorted(self._reached(command)):
            for text in self._texts(module, name):
                total.update(f"{module} {name} {text}\n".encode())
        return total.hexdigest()[:16]

    def _reached(self, command: str) -> set[Node]:
        module = f"{self.name}.{command}"
        if self._find(module) is None:
            raise ValueError(f"no module {module}")
        start: Node = (module, MAIN if self._read(module).main else WHOLE)
        seen = {start}
        todo = [start]
        with _no_garbage():
            while todo:
                new = [node for node in self._reaches(todo.pop()) if node not in seen]
                seen.update(new)
                todo.extend(new)
        return seen

    def _texts(self, module: str, name: str) -> Iterator[str]:
        """The content of a node, as digests."""
        read = self._read(module)
        statements = {IMPORTED: read.always, MAIN: read.main}.get(name) or read.bound.get(name, [])
        yield from (statement.digest for statement in statements)
        yield from (str(target) for target in read.imports.get(name, ()))

    def _reaches(self, node: Node) -> tuple[Node, ...]:
        """The nodes that a node leads to directly."""
        if node not in self._next:
            self._next[node] = tuple(dict.fromkeys(self._edges(*node)))
        return self._next[node]

    def _edges(self, module: str, name: str) -> Iterator[Node]:
        read = self._read(module)
        if name == IMPORTED:
            yield from self._import(read)
            return
        yield module, IMPORTED
        if name == WHOLE:
            yield module, MAIN
            for one in (*read.bound, *read.imports):
                yield from self._member(module, (one,), set())
            yield from ((below, WHOLE) for below in self._below(module))
            return
        for statement in read.main if name == MAIN else read.bound.get(name, ()):
            yield from self._refers(module, statement)

    def _import(self, read: Module) -> Iterator[Node]:
        """The statements that the import of a module executes."""
        parent = read.name.rpartition(".")[0]
        if parent:
            yield parent, IMPORTED
        for statement in read.always:
            yield from self._refers(read.name, statement)
        for name, targets in read.imports.items():
            yield from self._executes(targets)
            if name not in read.read:
                # Imported for the effects of its import.
                yield read.name, name
        for name, statements in read.bound.items():
            if any(one.acts or self._is_kept(one, set()) for one in statements):
                yield read.name, name
        for star in read.stars:
            yield read.name, WHOLE
            yield from ((star, WHOLE) for _ in self._executes([Target(star)]))

    def _executes(self, targets: Iterable[Target]) -> Iterator[Node]:
        for module, name, _ in targets:
            if self._find(module):
                yield module, IMPORTED
                if name and self._find(f"{module}.{name}"):
                    yield f"{module}.{name}", IMPORTED

    def _refers(self, module: str, statement: Statement) -> Iterator[Node]:
        """The nodes that a statement leads to."""
        for targets in statement.imports.values():
            yield from self._executes(targets)
        for chain in statement.chains:
            name, *rest = chain
            for target in statement.imports.get(name, ()):
                yield from self._follow(module, target, rest, set())
            found = list(self._member(module, chain, set()))
            yield from found
            if not found and name in ANY_NAME:
                yield module, WHOLE
            if not found and name in ANY_MODULE:
                yield from self._all()
        for text in statement.strings:
            # A module may be run by its name.
            yield from [(text, WHOLE)] if self._find(text) else self._all()
        if statement.attributes:
            yield from self._all()

    def _member(self, module: str, chain: Sequence[str], seen: set[Node]) -> Iterator[Node]:
        """The meaning of a dotted name in a module: definitions and imports; empty for other names."""
        name, *rest = chain
        read = self._read(module)
        if (module, name) in seen:
            return
        seen.add((module, name))
        if name in read.bound or name in read.imports:
            yield module, name
        for target in read.imports.get(name, ()):
            yield from self._follow(module, target, rest, seen)

    def _follow(self, module: str, target: Target, rest: Sequence[str], seen: set[Node]) -> Iterator[Node]:
        """The meaning of attributes of an import; `module`: where they occur."""
        start = target.module.split(".")[0] if target.first else target.module
        names = [*([target.name] if target.name else []), *rest]
        if self._find(start) is None:
            dotted = ".".join((start, *names))
            if any(f"{dotted}.".startswith(f"{one}.") for one in ANY_MODULE_OF):
                yield from self._all()
            return
        while names and self._find(f"{start}.{names[0]}"):
            # A name of the package may also be the name of one of its modules.
            yield from self._member(start, names, seen)
            start = f"{start}.{names.pop(0)}"
        if not names:
            yield start, WHOLE
            return
        found = list(self._member(start, names, seen)) or [(start, WHOLE)]
        yield from found

    def _is_kept(self, statement: Statement, seen: set[str]) -> bool:
        """Whether a class may be used without being named, because a base class keeps a list."""
        for base in statement.bases or ():
            if base in PURE_BASES or base in seen:
                continue
            seen.add(base)
            module, _, name = base.rpartition(".")
            if self._find(module) is None:
                return True
            found = [*self._member(module, (name,), set())]
            classes = [one for where, what in found for one in self._read(where).bound.get(what, ())]
            if not classes or any(one.bases is None or self._is_kept(one, seen) for one in classes):
                return True
        return False

    def _all(self) -> Iterator[Node]:
        yield self.name, WHOLE

    def _below(self, module: str) -> Iterator[str]:
        """The modules of a package, without subpackages."""
        folder = self._path(module)
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file():
                    yield f"{module}.{path.stem}"

    def _path(self, module: str) -> Path:
        return self.folder.joinpath(*module.split(".")[1:])

    def _read(self, module: str) -> Module:
        """A module that exists."""
        found = self._find(module)
        assert found is not None, module
        return found

    def _find(self, module: str) -> Module | None:
        """A module of this package, or None; a folder without `__init__.py` counts as an empty one."""
        if module not in self._modules:
            self._modules[module] = None
            stem = self._path(module)
            if module.split(".")[0] != self.name:
                return None
            for path in (stem / "__init__.py", stem.with_suffix(".py")):
                if path.is_file() and (stem != self.folder or path.parent == stem):
                    self._modules[module] = read_module(
                        path.read_bytes(), module, is_package=path.parent == stem, root=self.name
                    )
                    break
            else:
                if stem.is_dir():
                    self._modules[module] = Module(module, module)
        return self._modules[module]


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Read without garbage collection: syntax trees have no cycles, and the search is a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
