"""Python code → its acts, by the syntax tree.

Invariant: names are followed through imports and plain assignments only; what is not a literal is `HOLE`.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from ringwall.model.analysis import HOLE
from ringwall.shell.acts import Act, destroys, running
from ringwall.shell.code_calls import PYTHON, PYTHON_METHODS
from ringwall.shell.streams import decoded_base64, decoded_hex

_MODULES = frozenset(("os", "subprocess", "builtins", "shutil"))
_SOCKET_METHODS = {"connect": "network.send", "bind": "network.listen"}
_DECODERS = frozenset(
    ("b64decode", "b32decode", "b85decode", "a85decode", "decodebytes", "fromhex", "unhexlify", "decompress")
)
_GOVERNOR = tuple(
    f"ringwall.{room}" for room in ("approvals", "cli", "daemon", "journal", "judge", "setup", "store")
)
_SQL = ("drop ", "truncate ", "delete from ")


def acts(text: str) -> list[Act] | None:
    """The acts of Python source; None where it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.replace(HOLE, "None"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    reader = _Reader(tree)
    return list(reader.acts())


class _Reader:
    """Names and literal values of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(ast.walk(tree))
        self.names: dict[str, str] = {}
        self.values: dict[str, ast.expr | None] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    self.names[name] = alias.name if alias.asname else name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Name):
                    self.values[target.id] = None if target.id in self.values else node.value
            elif isinstance(node, ast.AugAssign | ast.For) and isinstance(node.target, ast.Name):
                self.values[node.target.id] = None

    def acts(self) -> Iterator[Act]:
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from self._import(node)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.While) and self._forks(node):
                yield Act("catastrophic", "os.fork", line=node.lineno)

    def _import(self, node: ast.Import | ast.ImportFrom) -> Iterator[Act]:
        """Whoever takes a part of Ringwall into a program of their own can do with it what people do."""
        base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        modules = [base + one.name for one in node.names]
        for module in modules:
            if module.startswith(_GOVERNOR):
                yield Act("write.governor", module, line=node.lineno)

    def _forks(self, node: ast.While) -> bool:
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
        return endless and any(self.name(call.func) == "os.fork" for call in calls)

    def _call(self, node: ast.Call) -> Iterator[Act]:
        name, line, args = self.name(node.func), node.lineno, node.args
        first = args[0] if args else next((k.value for k in node.keywords if k.arg in ("args", "cmd")), None)
        match PYTHON.get(name):
            case "shell" | "process" | "eval" if self._decoded(first):
                yield Act("hidden", name, line=line)
            case "shell":
                yield running(self.text(first), None, line)
            case "process":
                yield self._process(node, first)
            case "spread" | "exec" as kind:
                yield self._executed(name, kind, args, line)
            case "eval":
                yield from self._evaluated(first, line)
            case "module":
                if self.text(first) in (None, HOLE):
                    yield Act("opaque", name, line=line)
            case "opaque":
                yield Act("opaque", name, line=line)
            case "file":
                yield Act("file", self.text(first) or HOLE, line=line, language="python")
            case "open":
                yield from self._opened(node, first)
            case None:
                yield from self._other(name, node, first)
            case kinds:
                yield from self._done(kinds, node)

    def _done(self, kinds: str, node: ast.Call) -> Iterator[Act]:
        """One kind for each argument, joined by `+`; `-` for an argument that does not matter."""
        sends = len(node.args) > 1 or any(keyword.arg == "data" for keyword in node.keywords)
        for index, kind in enumerate(kinds.split("+")):
            argument = self.text(node.args[index]) if index < len(node.args) else None
            if (
                kind == "network.read"
                and sends
                and "+" not in kinds
                and self.name(node.func).endswith("urlopen")
            ):
                yield Act("network.send", argument or "", line=node.lineno)
            elif kind != "-":
                unknown = "" if kind.startswith(("network", "process", "remote")) else HOLE
                yield Act(kind, argument or unknown, line=node.lineno)

    def _decoded(self, first: ast.expr | None) -> bool:
        """Whether a value that is not known is decoded from another."""
        if first is None or self.text(first) not in (None, HOLE):
            return False
        calls = (n for n in ast.walk(first) if isinstance(n, ast.Call))
        return any(self.name(call.func).rpartition(".")[2] in _DECODERS for call in calls)

    def _process(self, node: ast.Call, first: ast.expr | None) -> Act:
        shell = any(
            k.arg == "shell" and not (isinstance(k.value, ast.Constant) and not k.value.value)
            for k in node.keywords
        )
        words = self.words(first)
        if words is not None and not shell:
            return running(None, words, node.lineno)
        return running(words[0] if words else self.text(first), None, node.lineno)

    def _executed(self, name: str, kind: str, args: list[ast.expr], line: int) -> Act:
        """`os.exec*` and `os.spawn*`: the program, then its words with its own name first."""
        if "spawn" in name and "posix" not in name and kind == "exec":
            args = args[1:]
        program = self.text(args[0]) if args else None
        if kind == "spread":
            words: tuple[str, ...] | None = tuple(self.text(a) or HOLE for a in args)
        else:
            listed = self.words(args[1]) if len(args) > 1 else None
            spread = name.rpartition("exec")[2][:1] == "l" or name.rpartition("spawn")[2][:1] == "l"
            words = tuple(self.text(a) or HOLE for a in args[1:]) if spread else listed
        if words is None or program is None:
            return Act("unknown", line=line)
        return running(None, (program, *words[1:]), line)

    def _evaluated(self, first: ast.expr | None, line: int) -> Iterator[Act]:
        text = self.text(first)
        if isinstance(first, ast.Call) and self.name(first.func) == "compile":
            return
        if text is None or HOLE in text:
            yield Act("opaque", "eval", line=line)
        else:
            yield Act("code", text, line=line, language="python")

    def _opened(self, node: ast.Call, first: ast.expr | None) -> Iterator[Act]:
        mode = (
            node.args[1]
            if len(node.args) > 1
            else next((k.value for k in node.keywords if k.arg == "mode"), None)
        )
        kind = self.text(mode) if mode is not None else "r"
        path = self.text(first) or HOLE
        writes = kind is None or any(letter in kind for letter in "wax+") or kind == HOLE
        yield Act("write" if writes else "read", path, line=node.lineno)

    def _other(self, name: str, node: ast.Call, first: ast.expr | None) -> Iterator[Act]:
        """Calls that are known by the method's name or by what they are given."""
        line = node.lineno
        if name == "getattr":
            if len(node.args) > 1 and self.name(node.args[0]) in _MODULES:
                yield Act("opaque", name, line=line)
            return
        if not isinstance(node.func, ast.Attribute):
            return
        method = node.func.attr
        if method in PYTHON_METHODS and name.partition(".")[0] not in _MODULES:
            yield Act(PYTHON_METHODS[method], self.text(node.func.value) or HOLE, line=line)
        elif method in _SOCKET_METHODS and len(node.args) == 1 and "socket" in self.names.values():
            yield Act(_SOCKET_METHODS[method], "", line=line)
        elif method in ("execute", "executescript", "executemany"):
            text = self.text(first)
            if text and text.strip().lower().startswith(_SQL):
                yield Act("data.destroy", text, line=line)
        elif destroys(method):
            yield Act("destroys", method, line=line)

    # ---- values

    def name(self, node: ast.expr) -> str:
        """The dotted name that an expression stands for, imports followed; empty where there is none."""
        if isinstance(node, ast.Name):
            value = self.values.get(node.id)
            if isinstance(value, ast.Attribute | ast.Call) and node.id not in self.names:
                return self.name(value) if not isinstance(value, ast.Call) else self._imported(value)
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self.name(node.value)
            return f"{base}.{node.attr}" if base else ""
        return self._imported(node) if isinstance(node, ast.Call) else ""

    def _imported(self, node: ast.Call) -> str:
        if (isinstance(node.func, ast.Name) and node.func.id == "__import__") or (
            isinstance(node.func, ast.Attribute) and node.func.attr == "import_module"
        ):
            return self.text(node.args[0]) or "" if node.args else ""
        return ""

    def words(self, node: ast.expr | None) -> tuple[str, ...] | None:
        """A literal list of words, unknown ones as `HOLE`."""
        if isinstance(node, ast.Name):
            node = self.values.get(node.id)
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(HOLE if isinstance(e, ast.Starred) else self.text(e) or HOLE for e in node.elts)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            text = self.text(
                node.args[0] if self.name(node.func) == "shlex.split" and node.args else node.func.value
            )
            return tuple(text.split()) if text is not None and text != HOLE else None
        return None

    def text(self, node: ast.expr | None, depth: int = 0) -> str | None:
        """A literal text or path; parts that are not known are `HOLE`; None where nothing is known."""
        if node is None or depth > 20:
            return None
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bytes):
                return node.value.decode("utf-8", "replace")
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            pieces = [
                self.text(v.value if isinstance(v, ast.FormattedValue) else v, depth + 1) for v in node.values
            ]
            return "".join(HOLE if piece is None else piece for piece in pieces)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Div | ast.Mod):
            left, right = self.text(node.left, depth + 1), self.text(node.right, depth + 1)
            if left is None and right is None:
                return None
            if isinstance(node.op, ast.Mod):
                return None if left is None else left.replace("%s", right or HOLE)
            return (left or HOLE) + ("/" if isinstance(node.op, ast.Div) else "") + (right or HOLE)
        if isinstance(node, ast.Name):
            value = self.values.get(node.id)
            return self.text(value, depth + 1) if value is not None else None
        return self._called(node, depth) if isinstance(node, ast.Call) else None

    def _called(self, node: ast.Call, depth: int) -> str | None:
        name = self.name(node.func)
        args = [self.text(argument, depth + 1) for argument in node.args]
        if name in ("pathlib.Path", "pathlib.PosixPath", "str", "os.fspath", "os.path.abspath"):
            return "/".join(a or HOLE for a in args) if args else "."
        if name == "os.path.join":
            return "/".join(argument or HOLE for argument in args)
        if name in ("os.path.expanduser", "os.path.expandvars"):
            return args[0] if args else None
        if name in ("pathlib.Path.home", "os.path.home"):
            return "~"
        if name in ("pathlib.Path.cwd", "os.getcwd"):
            return "."
        if name in ("base64.b64decode", "base64.decodebytes") and args and args[0]:
            return decoded_base64(args[0])
        if name == "bytes.fromhex" and args and args[0]:
            return decoded_hex(args[0])
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, args, node, depth)
        return None

    def _method(self, func: ast.Attribute, args: list[str | None], node: ast.Call, depth: int) -> str | None:
        value = self.text(func.value, depth + 1)
        if func.attr in ("decode", "encode", "expanduser", "resolve", "absolute", "strip"):
            return value
        if func.attr == "format" and value is not None:
            return value.replace("{}", args[0] or HOLE if args else HOLE)
        if func.attr == "joinpath" and value is not None:
            return "/".join([value, *(a or HOLE for a in args)])
        if func.attr == "join" and value is not None and node.args:
            words = self.words(node.args[0])
            return value.join(words) if words is not None else None
        return None
