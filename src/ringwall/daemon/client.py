#!/usr/bin/env python3
"""ringwall-hook HOST [--notify]: the client in Python, where there was no compiler.

Invariant: what native/ringwall_hook.c does, byte for byte. It stands alone (`python -I -S client.py HOST`)
and imports built-in modules only, for most of its time is the start of the interpreter.
"""

import _socket
import posix
import sys

VERSION = "0.1.0"
PAYLOAD_LIMIT = 64 << 20
REPLY_LIMIT = 16 << 20
VALUE_LIMIT = 4096
DECIDE_SECONDS, NOTIFY_SECONDS = 58, 8
ENVIRONMENT = (
    b"HOME", b"USER", b"LOGNAME", b"PATH", b"SHELL", b"TMPDIR", b"OLDPWD", b"CDPATH", b"BASH_ENV", b"EDITOR",
    b"VISUAL", b"PAGER", b"GIT_DIR", b"GIT_WORK_TREE", b"GIT_EDITOR", b"GIT_PAGER", b"GIT_SSH_COMMAND",
    b"XDG_CONFIG_HOME", b"XDG_DATA_HOME", b"XDG_STATE_HOME", b"XDG_CACHE_HOME", b"VIRTUAL_ENV",
    b"CLAUDE_PROJECT_DIR", b"CLAUDE_CONFIG_DIR", b"CLAUDE_CODE_ENTRYPOINT", b"RINGWALL_HEADLESS",
    b"RINGWALL_IDENTITY", b"CODEX_HOME", b"COPILOT_HOME", b"DSH_HOME", b"PI_CODING_AGENT_DIR",
)  # fmt: skip


class NoVerdict(Exception):
    """Why there is nothing to answer with."""


def main(words: list[str]) -> int:
    """The exit status of one call."""
    notify = "--notify" in words
    no_verdict = 1 if notify else 2
    try:
        if "--version" in words:
            write_all(1, b"ringwall-hook %s\n" % VERSION.encode())
            return 0
        hosts = [word for word in words if word != "--notify"]
        if len(hosts) != 1 or hosts[0].startswith("-") or not 0 < len(hosts[0]) < 64:
            raise NoVerdict("usage: ringwall-hook HOST [--notify]")
        return answer(hosts[0].encode("utf-8", "surrogateescape"), notify)
    except NoVerdict as why:
        tell(str(why))
    except BaseException as error:
        tell(f"{type(error).__name__}: {error}"[:200])
    return no_verdict


def tell(why: str) -> None:
    text = f"Ringwall has no verdict: {why}. Run `ringwall doctor`.\n"
    try:
        write_all(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def answer(host: bytes, notify: bool) -> int:
    payload = read_payload()
    daemon = connect_daemon(NOTIFY_SECONDS if notify else DECIDE_SECONDS)
    if daemon is None:
        return judge_without_daemon(host, notify, payload)
    try:
        daemon.sendall(header(host, notify, len(payload)))
        daemon.sendall(payload)
    except OSError:
        raise NoVerdict("the daemon ended in the middle of the call") from None
    head = read_exactly(daemon, 13, "the daemon ended in the middle of the call")
    if head[:4] == b"RWX1":
        return judge_without_daemon(host, notify, payload)
    out, err = int.from_bytes(head[5:9], "big"), int.from_bytes(head[9:13], "big")
    if head[:4] != b"RWR1" or head[4] > 2 or out > REPLY_LIMIT or err > REPLY_LIMIT:
        raise NoVerdict("the daemon's reply is malformed")
    reply = read_exactly(daemon, out + err, "the daemon's reply is cut off")
    try:
        after = daemon.recv(1)
    except OSError:
        after = b"?"
    if after:
        raise NoVerdict("the daemon's reply is malformed")
    if out and not is_object(reply[:out]):
        raise NoVerdict("the daemon's reply is not a JSON object")
    try:
        write_all(2, reply[out:])
        write_all(1, reply[:out])
    except OSError:
        raise NoVerdict("the reply cannot be written") from None
    return head[4]


def read_payload() -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while part := posix.read(0, 1 << 20):
            parts.append(part)
            size += len(part)
            if size > PAYLOAD_LIMIT:
                raise NoVerdict("the payload is larger than 64 MiB")
    except OSError:
        raise NoVerdict("the payload cannot be read") from None
    return b"".join(parts)


def header(host: bytes, notify: bool, payload: int) -> bytes:
    fields = [VERSION.encode(), host, b"1" if notify else b"0"]
    for name in ENVIRONMENT:
        value = posix.environ.get(name)
        if value is not None and len(value) <= VALUE_LIMIT:
            fields.append(name + b"=" + value)
    text = b"".join(field + b"\0" for field in fields)
    return b"RWQ1" + len(text).to_bytes(4, "big") + payload.to_bytes(4, "big") + text


def state_directory() -> bytes | None:
    environ = posix.environ
    chosen, home, base = environ.get(b"RINGWALL_HOME"), environ.get(b"HOME"), environ.get(b"XDG_STATE_HOME")
    if chosen is None:
        if base and base.startswith(b"/"):
            chosen = base + b"/ringwall"
        elif home is None:
            return None
        elif sys.platform == "darwin":
            chosen = home + b"/Library/Application Support/ringwall"
        else:
            chosen = home + b"/.local/state/ringwall"
    return chosen if chosen.startswith(b"/") else None


def connect_daemon(seconds: int) -> "_socket.socket | None":
    """A connection to the daemon, or None. The socket is named relative to its directory, so its length
    never exceeds what an address can hold."""
    path = state_directory()
    if path is None:
        return None
    try:
        here = posix.open(".", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        here = -1
    try:
        posix.chdir(path)
        entry = posix.stat(".")
        if entry.st_uid != posix.geteuid() or entry.st_mode & 0o022:
            return None
        daemon = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        daemon.settimeout(seconds)
        daemon.connect("daemon.sock")
    except OSError:
        return None
    finally:
        if here >= 0:
            try:
                posix.fchdir(here)
            except OSError:
                pass
            posix.close(here)
    return daemon


def read_exactly(daemon: "_socket.socket", size: int, otherwise: str) -> bytes:
    parts: list[bytes] = []
    try:
        while size and (part := daemon.recv(min(size, 1 << 20))):
            parts.append(part)
            size -= len(part)
    except OSError:
        raise NoVerdict(otherwise) from None
    if size:
        raise NoVerdict(otherwise)
    return b"".join(parts)


def is_object(text: bytes) -> bool:
    """Whether the text is one object: it opens, and closes at its last byte and not before."""
    depth, quoted, at = 0, False, 0
    if len(text) < 2 or text[:1] != b"{":
        return False
    while at < len(text):
        char = text[at]
        if quoted:
            if char == 0x5C:
                at += 1
            elif char == 0x22:
                quoted = False
        elif char == 0x22:
            quoted = True
        elif char in b"{[":
            depth += 1
        elif char in b"}]":
            depth -= 1
            if depth == 0:
                return at == len(text) - 1
        at += 1
    return False


def judge_without_daemon(host: bytes, notify: bool, payload: bytes) -> int:
    """The Python path answers, with the payload as its standard input."""
    no_verdict = 1 if notify else 2
    program = ringwall_program()
    spare = spare_file()
    try:
        write_all(spare, payload)
        posix.lseek(spare, 0, 0)
        posix.dup2(spare, 0)
    except OSError:
        raise NoVerdict("the payload cannot be handed on") from None
    environ = {name: value for name, value in posix.environ.items() if name != b"RINGWALL_HOOK_NOTIFY"}
    if notify:
        environ[b"RINGWALL_HOOK_NOTIFY"] = b"1"
    child = posix.fork()
    if child == 0:
        try:
            posix.execve(program, [program, b"hook", host], environ)
        finally:
            posix._exit(127)
    _, status = posix.waitpid(child, 0)
    if not posix.WIFEXITED(status):
        raise NoVerdict("`ringwall hook` was killed")
    code: int = posix.WEXITSTATUS(status)
    if code == 127:
        raise NoVerdict("`ringwall hook` cannot be run")
    return code if code in (0, no_verdict) else no_verdict


def spare_file() -> int:
    """A file without a name."""
    try:
        return posix.memfd_create("payload", 0)
    except (AttributeError, OSError):
        pass
    folder = posix.environ.get(b"TMPDIR", b"/tmp")
    name = folder + b"/ringwall-" + posix.urandom(12).hex().encode()
    try:
        spare = posix.open(name, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL, 0o600)
        posix.unlink(name)
    except OSError:
        raise NoVerdict("the payload cannot be handed on") from None
    return spare


def ringwall_program() -> bytes:
    """`ringwall` beside this script (links followed), else beside the interpreter."""
    script = sys.argv[0]
    for _ in range(40):
        try:
            target = posix.readlink(script)
        except OSError:
            break
        script = target if target.startswith("/") else script.rpartition("/")[0] + "/" + target
    for place in (script, sys.executable):
        program = place.rpartition("/")[0] + "/ringwall"
        if program.startswith("/") and posix.access(program, posix.X_OK) and not is_directory(program):
            return program.encode("utf-8", "surrogateescape")
    raise NoVerdict("`ringwall` is not beside this program")


def is_directory(path: str) -> bool:
    return posix.stat(path).st_mode & 0o170000 == 0o040000


def write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[posix.write(handle, view) :]


if __name__ == "__main__":
    status = main(sys.argv[1:])
    posix._exit(status)
