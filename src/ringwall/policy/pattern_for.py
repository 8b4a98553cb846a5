""" "Always allow": the rule that a yes to one call may become, or why it may not.

Invariant: this is the only way from a call to an allow rule, and `refusal` alone says what never becomes one:
what leaves the machine, uses another user's rights, cannot be undone or read beforehand, or means "anything".
A rule matches the call that it comes from and nothing with other effects.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ringwall.model.action import Kind
from ringwall.model.analysis import HOLE, Analysis, Command
from ringwall.model.decision import RuleRef
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.match import host_of, said_of_command, said_of_effect
from ringwall.policy.names import CHAINS, OBSERVE
from ringwall.policy.paths import paths_of
from ringwall.policy.patterns import CommandPattern, Rule, ToolPattern
from ringwall.policy.rule_text import ReadCommand, RuleFault, read_rule

MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Offered:
    """A rule, and other commands that it should cover too, to be shown (whoever shows them checks each). A
    rule on a whole tool has none: it covers any arguments."""

    rule: str
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no rule. `code` is stable."""

    code: str
    reason: Text


_OUTWARD = msg("what reaches others is decided by a person each time")
_LOST = msg("what cannot be undone is decided by a person each time")
_UNREAD = msg("what cannot be read beforehand may be anything the next time")
_GUARD = msg("what agents and machines do by themselves later is decided by a person each time")

NEVER: dict[str, Text] = {
    "privilege": msg("what acts with another user's rights is decided by a person each time"),
    "git.push": _OUTWARD,
    "git.merge.protected": _OUTWARD,
    "pr": _OUTWARD,
    "publish": _OUTWARD,
    "deploy": _OUTWARD,
    "remote": _OUTWARD,
    "cloud.write": _OUTWARD,
    "network.send": _OUTWARD,
    "network.listen.public": _OUTWARD,
    "write.outside": msg("what lies outside the project is decided by a person each time"),
    "delete.outside": msg("what lies outside the project is decided by a person each time"),
    "data.destroy": _LOST,
    "git.discard": _LOST,
    "delete.lost": _LOST,
    "catastrophic": _LOST,
    "code.opaque": _UNREAD,
    "download.exec": _UNREAD,
    "read.secret": msg("a secret that was read once may be read by anything after it"),
    "write.instructions": _GUARD,
    "write.hook": _GUARD,
    "write.governor": _GUARD,
    "agent": _GUARD,
    "agents": _GUARD,
    "system": _GUARD,
    "browse.act": _OUTWARD,
}
"""Effects and families of which no rule is made. All limits are among them."""

ANYTHING = (
    "python*", "pypy*", "node", "nodejs", "deno", "bun", "ruby", "perl*", "php*", "lua*", "julia",
    "Rscript", "osascript", "pwsh*", "powershell*", "java", "ts-node", "tsx", "awk", "gawk", "mawk",
    "sed", "sh", "bash", "dash", "zsh", "ksh*", "fish", "busybox", "eval", "source", ".", "exec",
    "command", "builtin", "env", "xargs", "parallel", "find", "fd", "nohup", "setsid", "timeout",
    "nice", "ionice", "time", "watch", "stdbuf", "script", "strace", "ltrace", "gdb", "flock", "entr",
    "tmux", "screen", "at", "batch", "crontab", "sudo", "doas", "su", "runuser", "pkexec", "chroot",
    "unshare", "nsenter", "ssh", "docker", "podman", "kubectl", "npx", "pnpx", "bunx", "uvx", "pipx",
    "uv", "poetry", "pipenv", "conda", "nix", "nix-shell", "direnv", "mise", "asdf",
)  # fmt: skip
"""Programs whose arguments are programs: a rule on one would mean "anything"."""

RUNNERS = frozenset(
    tuple(words.split())
    for words in (
        "npm test", "yarn test", "pnpm test", "gradle test", "mvn test", "dotnet test", "mix test",
        "swift test", "bazel test", "cargo test", "cargo build", "cargo check", "cargo clippy",
        "cargo fmt", "cargo doc", "cargo bench", "go test", "go build", "go vet", "go fmt", "pytest",
        "ruff", "mypy", "jest", "vitest", "eslint", "tsc", "rspec", "phpunit",
    )
)  # fmt: skip
"""Programs and verbs after which further words choose what of the project is tested, built or checked."""

_QUIET = frozenset({"code.run", "write", "git.local", "network.read", "install"})
"""Effects with which a runner may get further words."""


def pattern_for(analysis: Analysis, places: Places, read_command: ReadCommand) -> Offered | Refused:
    """The narrowest useful rule that allows what `analysis` does, or a refusal."""
    refused = refusal(analysis)
    if refused is not None:
        return refused
    acting = tuple(effect for effect in analysis.effects if effect.name != OBSERVE)
    if not acting:
        return Refused("observes", msg("it only looks, which needs no rule"))
    offered = _by_kind(analysis, acting, places)
    if isinstance(offered, Refused):
        return offered
    if not _matches(offered.rule, analysis, acting, places, read_command):
        return Refused("not_exact", msg("no rule would match exactly this"))
    return offered


def refusal(analysis: Analysis) -> Refused | None:
    """Why no rule may ever let this pass, whatever its form; None where one may."""
    if analysis.doubts:
        return Refused("doubt", msg("it could not be understood: {why}", why=analysis.doubts[0].reason))
    for effect in analysis.effects:
        for name in CHAINS[effect.name]:
            if name in NEVER:
                reason = msg("it {meaning}; {why}", meaning=EFFECTS[effect.name].meaning, why=NEVER[name])
                return Refused(effect.name, reason)
    for effect in analysis.effects:
        if not effect.certain:
            return Refused("possible", msg("it is not sure what it does"))
    for effect in analysis.effects:
        acts = effect.name != OBSERVE and 0 <= effect.command < len(analysis.commands)
        if acts and (program := _runs_anything(analysis.commands[effect.command])):
            why = msg(
                "a rule on {program} would mean anything, for its arguments are programs", program=program
            )
            return Refused("anything", why)
    return None


def _by_kind(analysis: Analysis, acting: tuple[Effect, ...], places: Places) -> Offered | Refused:
    kind = analysis.action.kind
    if {effect.name for effect in acting} == {"write"}:
        return _edits(acting, analysis, places)
    if kind is Kind.SHELL:
        return _shell(analysis, acting)
    if kind is Kind.WEB:
        return _web(acting)
    if kind is Kind.FILE and {effect.name for effect in acting} == {"read.outside"}:
        return _one_path(
            "Read", acting, analysis, places, lambda path: (f"cat {path}", f"head {path}", f"wc {path}")
        )
    if kind is Kind.MCP:
        return Offered(analysis.action.tool, ())
    return Refused("no_rule", msg("there is no rule that is narrow enough for this tool"))


def _edits(acting: tuple[Effect, ...], analysis: Analysis, places: Places) -> Offered | Refused:
    return _one_path(
        "Edit",
        acting,
        analysis,
        places,
        lambda path: (f"touch {path}", f"cp notes.txt {path}", f"echo x >> {path}"),
    )


def _one_path(
    tool: str, acting: tuple[Effect, ...], analysis: Analysis, places: Places,
    also: Callable[[str], tuple[str, ...]],
) -> Offered | Refused:  # fmt: skip
    paths = {path for effect in acting for path in paths_of(effect, analysis)[-1:]}
    if len(paths) != 1:
        return Refused("many", msg("it concerns more than one file"))
    path = paths.pop()
    if set("*?[]{}()\\!" + HOLE) & set(path) or not path.startswith("/"):
        return Refused("unknown_word", msg("a part of it is not known beforehand, or is a wildcard"))
    inside = path.startswith(f"{places.root}/")
    written = path.removeprefix(places.root) if inside else f"/{path}"
    shown = shlex.quote(written.lstrip("/") if inside else path)
    return Offered(f"{tool}({written})", also(shown))


def _web(acting: tuple[Effect, ...]) -> Offered | Refused:
    hosts = {host_of(effect.target) for effect in acting}
    host = next(iter(hosts)) if len(hosts) == 1 else None
    if host is None or any(effect.name != "network.read" for effect in acting):
        return Refused("no_rule", msg("there is no rule that is narrow enough for this"))
    base = f"https://{host}/"
    return Offered(f"Effect(network.read:{base}*)", (f"curl {base}", f"curl {base}other", f"wget {base}a/b"))


def _shell(analysis: Analysis, acting: tuple[Effect, ...]) -> Offered | Refused:
    numbers = {effect.command for effect in acting}
    if len(numbers) != 1 or not 0 <= min(numbers) < len(analysis.commands):
        return Refused("many", msg("it is more than one command; each needs a rule of its own"))
    command = analysis.commands[numbers.pop()]
    if not command.argv or not command.certain or any(HOLE in word for word in command.argv):
        return Refused("unknown_word", msg("a part of it is not known beforehand, or is a wildcard"))
    if any(set("*?[") & set(word) for word in command.argv):
        return Refused("unknown_word", msg("a part of it is not known beforehand, or is a wildcard"))
    prefix = _prefix(command, acting)
    words = shlex.join(prefix or command.argv)
    if len(words) > MOST_CHARACTERS:
        return Refused("too_long", msg("it is too long for a rule that a person could read"))
    if prefix:
        also = (f"{words} --verbose", f"cd docs && {words} x", f"timeout 60 {words} x", f"{words} x && ls")
        return Offered(f"Bash({words}:*)", also)
    return Offered(
        f"Bash({words})", (f"cd docs && {words}", f"timeout 60 {words}", f"{words} && ls", f"nice {words}")
    )


def _runs_anything(command: Command) -> str:
    """The program, where its arguments are programs."""
    program = command.invocation.program.rpartition("/")[2]
    names = (program, *command.argv[:1])
    return program if any(fnmatchcase(name, glob) for name in names for glob in ANYTHING) else ""


def _prefix(command: Command, acting: tuple[Effect, ...]) -> tuple[str, ...]:
    """The words that a rule with `:*` would have; none where only the exact command can be allowed."""
    invocation = command.invocation
    if not command.known or not {effect.name for effect in acting} <= _QUIET or "/" in command.argv[0]:
        return ()
    head = (invocation.program, *invocation.path)
    if head in {("npm", "run"), ("pnpm", "run"), ("yarn", "run")} and invocation.operands:
        script = invocation.operands[0]
        return (*head, script) if not script.startswith("-") else ()
    return head if head in RUNNERS and command.argv[: len(head)] == head else ()


def _matches(
    text: str, analysis: Analysis, acting: tuple[Effect, ...], places: Places, read_command: ReadCommand
) -> bool:
    """Whether the rule would let exactly this pass."""
    try:
        pattern = read_rule(text, places, read_command, allowing=True)
    except RuleFault:
        return False
    rule = Rule(Verdict.ALLOW, pattern, RuleRef(text))
    if rule.broad:
        return False
    if isinstance(pattern, ToolPattern):
        return pattern.regex.fullmatch(analysis.action.tool) is not None
    if isinstance(pattern, CommandPattern):
        return all(
            said_of_command(rule, analysis.commands[effect.command], places.root) is Verdict.ALLOW
            for effect in acting
        )
    return all(said_of_effect(rule, effect, paths_of(effect, analysis)) is Verdict.ALLOW for effect in acting)
