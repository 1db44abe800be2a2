"""The top-level statements of a module: their content, the names they use, and whether they act at import."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

Chain = tuple[str, ...]
"""A name with the attributes accessed on it: `a.b.c` is ("a", "b", "c")."""


def _dotted_names(names: dict[str, str]) -> set[str]:
    """Dotted names by module."""
    return {f"{module}.{name}" for module, some in names.items() for name in some.split()}


# Calls that return a value and have no other effect.
PURE_CALLS = _dotted_names(
    {
        "builtins": "bool bytes dict dict.fromkeys enumerate float frozenset int len list max min object"
        " range reversed round set slice sorted str str.maketrans sum tuple zip",
        "collections": "Counter namedtuple",
        "dataclasses": "field",
        "itertools": "pairwise",
        "math": "exp log sqrt",
        "pathlib": "Path PurePosixPath",
        "pydantic": "AfterValidator BeforeValidator ConfigDict Field",
        "re": "compile escape",
        "typing": "NamedTuple NewType ParamSpec TypeVar get_args get_origin",
    }
)
PURE_METHODS = {"copy", "format", "items", "join", "keys", "lower", "replace", "split", "strip", "upper"}
# Decorators that do not register the decorated object.
PURE_DECORATORS = _dotted_names(
    {
        "abc": "abstractmethod",
        "builtins": "classmethod property staticmethod",
        "contextlib": "contextmanager",
        "dataclasses": "dataclass",
        "functools": "cache cached_property lru_cache total_ordering wraps",
        "pydantic": "computed_field field_validator model_validator",
        "torch": "no_grad",
        "typing": "final overload override runtime_checkable",
        # In parts: whatever has a module's name as a string may run it.
        ".".join(("workflow_scripts", "leaves.command")): "leaf",
    }
)
# Classes of other packages that keep no list of their subclasses to act upon.
PURE_BASES = _dotted_names(
    {
        "abc": "ABC",
        "builtins": "BaseException Exception OSError RuntimeError ValueError dict float frozenset int list"
        " object set str tuple",
        "enum": "Enum Flag IntEnum StrEnum",
        "pydantic": "BaseModel",
        "torch.autograd": "Function",
        "torch.nn": "Module",
        "typing": "Generic NamedTuple Protocol TypedDict",
    }
)
LOCALS = {"dir", "locals", "vars"}
DYNAMIC_ATTRIBUTES = {"__globals__", "__subclasses__", "f_globals"}


class Target(NamedTuple):
    """The target of an import: a module, or a name in it."""

    module: str
    name: str = ""
    first: bool = False
    """Whether the first part of the module's name is bound, as `import a.b` does."""

    def __str__(self) -> str:
        """Both, with a dot between them."""
        return f"{self.module}.{self.name}" if self.name else self.module


@dataclass
class Statement:
    """One statement without docstrings, comments and layout, and the names it uses."""

    text: str
    chains: set[Chain]
    """The names that it reads, including its own variables."""
    imports: dict[str, list[Target]]
    """What is imported inside it."""
    strings: set[str]
    """Its strings that begin with the package's name and a dot."""
    attributes: set[str]
    """Attributes of any value that lead to names or classes of any module."""
    acts: bool = False
    """Whether evaluating it may do more than bind a name."""
    bases: list[str] | None = None
    """For a class: the dotted names of its bases."""

    @cached_property
    def digest(self) -> str:
        """A digest of the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Module:
    """A module as its top-level statements."""

    name: str
    package: str
    """The package from which relative imports start."""
    bound: dict[str, list[Statement]] = field(default_factory=dict)
    """Functions, classes and constants."""
    imports: dict[str, list[Target]] = field(default_factory=dict)
    """The imports at the top."""
    always: list[Statement] = field(default_factory=list)
    """The statements executed whenever the module is imported."""
    main: list[Statement] = field(default_factory=list)
    """The block of `if __name__ == "__main__"`."""
    stars: set[str] = field(default_factory=set)
    """Modules of which everything is imported."""

    @cached_property
    def read(self) -> set[str]:
        """The names that some statement reads."""
        every = (*self.always, *self.main, *(one for some in self.bound.values() for one in some))
        return {chain[0] for statement in every for chain in statement.chains}


def read_module(source: bytes, name: str, *, is_package: bool, root: str) -> Module:
    """Read a module's source; `root` is the package whose modules matter."""
    module = Module(name, name if is_package else name.rpartition(".")[0])
    body = list(_executed(ast.parse(source).body))
    for node in body:
        for target_name, target in _imports(node, module):
            if target_name == "*":
                module.stars.add(target.module)
            else:
                module.imports.setdefault(target_name, []).append(target)
    bound = {name for node in body for name in _bound(node) or ()}
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.If) and _is_main(node.test):
            module.main.append(_statement(node, module, root, 0))
            continue
        # Where it stands among the statements that act is part of what it says.
        statement = _statement(node, module, root, len(module.always))
        names = _bound(node)
        if names is None:
            module.always.append(statement)
            continue
        effects = _Effects(module, bound)
        statement.acts = not effects.none_of(node)
        if isinstance(node, ast.ClassDef):
            statement.bases = effects.bases(node)
        for one in names:
            module.bound.setdefault(one, []).append(statement)
    return module


def _executed(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements without strings that stand alone, and without what only type checkers read."""
    for node in body:
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            yield from _executed(node.orelse)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield node


def _is_type_checking(test: ast.expr) -> bool:
    return _chain(test)[-1:] == ("TYPE_CHECKING",)


def _is_main(test: ast.expr) -> bool:
    return ast.unparse(test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _bound(node: ast.stmt) -> list[str] | None:
    """The names that a definition binds, or None if the statement is no definition."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            targets = list(node.targets)
        case ast.AnnAssign():
            targets = [node.target]
        case _:
            return None
    names = []
    while targets:
        match targets.pop():
            case ast.Name(id=name):
                names.append(name)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                targets = [*targets, *parts]
            case ast.Starred(value=part):
                targets = [*targets, part]
            case _:
                return None
    return names


def _chain(node: ast.AST) -> Chain:
    """`a.b.c` as a chain; empty if it is something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else ()


def _imports(node: ast.AST, module: Module) -> Iterator[tuple[str, Target]]:
    """What a statement outside functions imports, and under which names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.split(".")[0], Target(alias.name, first=not alias.asname)
    elif isinstance(node, ast.ImportFrom):
        start = node.module or ""
        if node.level:
            parts = module.package.split(".")
            start = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
        for alias in node.names:
            yield alias.asname or alias.name, Target(start, alias.name)
    elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.expr)):
        for child in ast.iter_child_nodes(node):
            yield from _imports(child, module)


def _statement(node: ast.stmt, module: Module, root: str, place: int) -> Statement:
    reader = _Reader(module, f"{root}.")
    reader.visit(node)
    if reader.asks_locals and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        # Outside functions they are the module's names.
        reader.chains.add(("globals",))
    return Statement(
        f"{place}\n" + "\n".join(reader.out),
        reader.chains,
        reader.imports,
        reader.strings,
        reader.attributes,
    )


class _Reader:
    """Collects what a statement says and refers to, in one pass."""

    def __init__(self, module: Module, prefix: str) -> None:
        self.module, self.prefix = module, prefix
        self.out: list[str] = []
        self.chains: set[Chain] = set()
        self.imports: dict[str, list[Target]] = {}
        self.strings: set[str] = set()
        self.attributes: set[str] = set()
        self.asks_locals = False

    def visit(self, node: ast.AST, inside: bool = False) -> None:
        """`inside`: this is no chain of its own, but the beginning of a longer one."""
        kind = node.__class__
        self.out.append(kind.__name__)
        if isinstance(node, ast.Name):
            self.out.append(node.id)
            if not inside:
                self._refer(node)
            return
        if isinstance(node, ast.Constant):
            self.out.append(repr(node.value))
            if isinstance(node.value, str) and node.value.startswith(self.prefix):
                self.strings.add(node.value)
            return
        if isinstance(node, ast.Attribute):
            inside = inside or self._refer(node)
            if node.attr in DYNAMIC_ATTRIBUTES:
                self.attributes.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, target in _imports(node, self.module):
                self.imports.setdefault(name, []).append(target)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
            self.asks_locals |= node.func.id in LOCALS
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.chains.add((node.target.id,))
        for annotation in ("annotation", "returns"):
            self._read_annotation(getattr(node, annotation, None))
        skipped = _harmless(node) if isinstance(node, (ast.Call, ast.Compare, ast.Subscript)) else None
        for name in node._fields:
            self._visit_field(getattr(node, name, None), inside and name == "value", skipped)

    def _visit_field(self, value: object, inside: bool, skipped: ast.AST | None) -> None:
        if isinstance(value, ast.AST):
            if not isinstance(value, ast.expr_context):
                self.visit(value, inside or value is skipped)
        elif isinstance(value, list):
            self.out.append("[")
            for one in _executed(value) if value and isinstance(value[0], ast.stmt) else value:
                self._visit_field(one, False, skipped)
            self.out.append("]")
        else:
            self.out.append(repr(value))

    def _refer(self, node: ast.AST) -> bool:
        """Note the chain that ends here; whether there is one."""
        chain = _chain(node)
        if not chain:
            return False
        stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if not stored:
            self.chains.add(chain)
        return True

    def _read_annotation(self, node: ast.AST | None) -> None:
        """What stands in quotation marks in an annotation names what it names without them."""
        for one in ast.walk(node) if node is not None else ():
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                with suppress(SyntaxError):
                    found = map(_chain, ast.walk(ast.parse(one.value, mode="eval")))
                    self.chains.update(chain for chain in found if chain)


def _harmless(node: ast.AST) -> ast.AST | None:
    """The `sys.modules` of which no more is asked than its length or the module with a constant name."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute() as found]):
            pass
        case ast.Subscript(value=ast.Attribute() as found, slice=ast.Constant()):
            pass
        case ast.Compare(left=ast.Constant(), comparators=[ast.Attribute() as found]):
            pass
        case _:
            return None
    return found if _chain(found) == ("sys", "modules") else None


class _Effects:
    """Which definitions of a module may do more than bind a name, as a registering decorator does."""

    def __init__(self, module: Module, bound: set[str]) -> None:
        self.module, self.bound = module, bound

    def none_of(self, node: ast.AST) -> bool:
        """Whether a definition's evaluation binds names and does nothing else."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                given = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                return all(map(self._decorates, node.decorator_list)) and all(map(self._pure, given))
            case ast.ClassDef():
                plain = not node.keywords and all(map(self._decorates, node.decorator_list))
                return plain and all(map(self.none_of, _executed(node.body)))
            case ast.Assign() | ast.AnnAssign():
                return _bound(node) is not None and (node.value is None or self._pure(node.value))
            case ast.Pass():
                return True
        return False

    def bases(self, node: ast.ClassDef) -> list[str]:
        """The dotted names of a class's bases; of the class itself if it acts on those derived from it."""
        hooks = ("__init_subclass__", "__prepare__")
        if node.keywords or any(isinstance(one, ast.FunctionDef) and one.name in hooks for one in node.body):
            return [""]
        values = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
        return [self._dotted(value) for value in values]

    def _decorates(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            return self._decorates(node.func) and all(map(self._pure, given))
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter"):
            return True
        return self._dotted(node) in PURE_DECORATORS

    def _pure(self, node: ast.AST) -> bool:
        match node:
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case ast.Lambda():
                return all(map(self._pure, [*node.args.defaults, *filter(None, node.args.kw_defaults)]))
            case ast.Call() if self._dotted(node.func) not in PURE_CALLS:
                # A method of a value that stands there, such as a string; not a function of a module.
                method = isinstance(node.func, ast.Attribute) and node.func.attr in PURE_METHODS
                if not method or _chain(node.func):
                    return False
        return all(map(self._pure, ast.iter_child_nodes(node)))

    def _dotted(self, node: ast.AST) -> str:
        """The dotted name of what a chain stands for; empty if that cannot be told."""
        chain = _chain(node)
        if not chain:
            return ""
        if chain[0] in self.bound:
            return ".".join((self.module.name, *chain))
        targets = self.module.imports.get(chain[0])
        if targets is None:
            return ".".join(("builtins", *chain))
        if targets[0].first:
            return ".".join(chain)
        if len(targets) > 1:
            return ""
        return ".".join((str(targets[0]), *chain[1:]))
