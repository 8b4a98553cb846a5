"""What keeps the reading browser from the network, strongest first.

Invariant: which wall stands is found by trying it, and told; a weaker one is used only where the setting
names it. The dead-end switches and the answers' headers stand behind every wall.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading.failures import refused

_PROBE_SECONDS = 10.0


class Isolation(StrEnum):
    """`JAIL`: no network and no files (bubblewrap). `NAMESPACE`: no network (unshare). `SWITCHES`: the
    browser is told of a network that leads nowhere; no wall of the system's."""

    JAIL = "jail"
    NAMESPACE = "namespace"
    SWITCHES = "switches"


SYSTEM_WALLS = (Isolation.JAIL, Isolation.NAMESPACE)

DEAD_END = (
    "--proxy-server=http://127.0.0.1:9",  # the discard port: nothing listens
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
    "--dns-prefetch-disable",
)
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

_BINARIES = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@dataclass(frozen=True, slots=True)
class Wall:
    """What stands: which isolation, why no stronger one, and whether Chromium's own sandbox works in it."""

    isolation: Isolation
    why: Text | None = None

    @property
    def sandbox(self) -> bool:
        return self.isolation is Isolation.JAIL or os.geteuid() != 0


def find_chromium(chosen: str = "") -> str:
    """The browser's program. Raises `RingwallError` where there is none."""
    if chosen:
        if os.access(chosen, os.X_OK):
            return chosen
        raise refused(
            "no_chromium",
            msg("{path} is no program.", path=chosen),
            msg("Set reading.chromium to the path of a Chromium, or leave it out."),
        )
    found = next((path for path in _BINARIES if os.access(path, os.X_OK)), None)
    found = found or next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise refused(
            "no_chromium",
            msg("There is no Chromium."),
            msg("Install it (Debian: apt install chromium; macOS: brew install --cask chromium)."),
        )
    return found


def stand(wanted: Isolation | None) -> Wall:
    """The wall to use: the strongest that works, or exactly the wanted one. Raises `RingwallError` where that
    is less than what is wanted; without a wish it takes a wall of the system's."""
    tried = SYSTEM_WALLS if wanted is None else (wanted,)
    faults = {isolation: fault_of(isolation) for isolation in tried}
    good = next((isolation for isolation, fault in faults.items() if fault is None), None)
    if good is None:
        raise _no_wall(next(iter(faults.values())))
    return Wall(good, next((fault for fault in faults.values() if fault is not None), None))


def _no_wall(fault: Text | None) -> RingwallError:
    return refused(
        "no_isolation",
        msg(
            "The reading browser cannot be kept from the network here: {fault}.",
            fault=fault or msg("unknown"),
        ),
        msg(
            "Install bubblewrap and allow user namespaces (Debian: apt install bubblewrap), or accept the "
            'weaker form: isolation = "switches" under [reading].'
        ),
    )


@cache
def fault_of(isolation: Isolation) -> Text | None:
    """Why this wall cannot stand here; None where a trial held."""
    if isolation is Isolation.SWITCHES:
        return None
    program = "bwrap" if isolation is Isolation.JAIL else "unshare"
    if shutil.which(program) is None:
        return msg("{program} is not installed", program=program)
    words = _JAIL_TRIAL if isolation is Isolation.JAIL else (*_NAMESPACE, "true")
    try:
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PROBE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return msg("{program} does not run: {why}", program=program, why=error)
    if done.returncode == 0:
        return None
    return msg(
        "{program} says: {why}", program=program, why=done.stderr.decode(errors="replace").strip()[:200]
    )


_HOME = "/tmp/home"  # noqa: S108 - in the jail's own memory
_JAIL_TRIAL = ("bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--ro-bind", "/", "/", "true")
_NAMESPACE = ("unshare", "--user", "--map-current-user", "--net", "--")

_LINKS = (("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64"), ("usr/sbin", "/sbin"))
_SHOWN = (
    "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime", "/etc/nsswitch.conf", "/etc/chromium", "/var/cache/fontconfig",
)  # fmt: skip


def launcher(wall: Wall, chromium: str) -> str:
    """A shell script that runs `chromium` behind the wall, passing on its arguments and open descriptors."""
    words: Sequence[str] = ()
    if wall.isolation is Isolation.JAIL:
        words = _jail(chromium)
    elif wall.isolation is Isolation.NAMESPACE:
        words = _NAMESPACE
    return f'#!/bin/sh\nexec {shlex.join([*words, chromium])} "$@"\n'


def _jail(chromium: str) -> list[str]:
    """No network, no user, no file of the person's; /tmp, /run and the home are empty and in memory."""
    words = ["bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--die-with-parent", "--new-session"]
    words += ["--hostname", "reader", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"]
    words += ["--setenv", "HOME", _HOME, "--setenv", "LANG", "C.UTF-8", "--ro-bind", "/usr", "/usr"]
    for target, link in _LINKS:
        words += ["--symlink", target, link]
    for path in _SHOWN:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/home"]  # noqa: S108
    folder = os.path.dirname(os.path.realpath(chromium))
    if not folder.startswith("/usr/"):
        words += ["--ro-bind", folder, folder]
    return [*words, "--dir", _HOME, "--dir", "/var/tmp", "--chdir", "/tmp", "--"]  # noqa: S108
