"""Takes secrets out of what is journalled, and bounds it.

Invariant: the journal never holds a secret that these rules know, nor a digest of one alone; what was
taken out stays visible as its kind and length. Text that a person must judge is shown from the call, not
from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TEXT_LIMIT = 8_192
"""Characters kept of one string."""

_OVERLAP = 4_096  # read beyond the limit, so that no secret is cut into unrecognisable halves
_BUDGET = 65_536  # characters kept of one field of an event
_ITEMS = 512
_DEPTH = 48
_SAFE_INTEGER = 2**53 - 1

_SECRET_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|cookie|"
    r"(?:api|access|private|auth|account|signing|encryption|master|service|shared|storage)[_-]?key|"
    r"connection[_-]?string|dsn)"
)
_SECRET_KEY = re.compile(
    rf"(?i)(?:^|[_\-.]|(?-i:(?<=[a-z])(?=[A-Z])))(?:{_SECRET_NAMES}|authorization|bearer|pass)s?$"
)
_NOT_SECRET_KEY = re.compile(r"(?i)(?:max|num|count|total|input|output)[_-]?tokens?$")

_SHAPE = (
    r"(?:gh[pousr]_|github_pat_|glpat-|gldt-|xox[abeoprs]-|npm_|pypi-|hf_|dop_v1_|shpat_|whsec_|"
    r"[sr]k_(?:live|test)_|sk-(?:ant-|proj-|or-)?|SG\.|AGE-SECRET-KEY-|ATATT|nvapi-|r8_|AKIA|ASIA|AIza|"
    r"ya29\.|eyJ)"
)
_KNOWN_SHAPE = re.compile(_SHAPE)


def _value(name: str) -> str:
    """A value after `=` or `:`, quoted (perhaps inside another quoting) or bare."""
    quoted = rf"""\\?(?P<{name}q>["'])(?P<{name}v>(?:(?!(?P={name}q))[^\n]){{1,4000}})"""
    bare = rf"""(?P<{name}b>[^\s"'`;&|<>(){{}}\[,$\\][^\s"'`;&|<>(){{}},]{{0,4000}})"""
    return f"(?:{quoted}|{bare})"


_ASSIGN = r"""\\?["']?\s{0,4}[=:]\s{0,4}"""

_RULES = tuple(
    re.compile(pattern)
    for pattern in (
        # private keys, to their end or the end of the text
        r"(?s)-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<pem>.*?)(?:-----END|\Z)",
        # tokens that show what they are
        rf"\b(?P<token>{_SHAPE}[A-Za-z0-9_\-.]{{12,}})",
        r"(?i)hooks\.slack\.com/services/(?P<slack>[A-Za-z0-9/]+)",
        # headers
        r"""(?i)\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest|apikey)\s+)?"""
        r"""(?P<header>[^\s"',]{3,4000})""",
        r"(?i)\bbearer\s+(?P<bearer>[A-Za-z0-9_\-.=+/~]{8,})",
        r"""(?i)\b(?:x-[a-z-]{0,40}(?:key|token)|api-?key|private-token|job-token):\s*(?P<key>[^\s"']{3,4000})""",
        r"""(?i)\b(?:set-)?cookie:\s*(?P<cookie>[^"'\n]{3,4000})""",
        # user information in a URL
        r"""(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/@:"']{0,200}:(?P<userinfo>[^\s/@"']{1,500})@""",
        r"""(?i)\bhttps?://(?P<user>[^\s/@:"']{12,500})@""",
        # name=value, name: value, --name value
        rf"(?i)(?<![a-z0-9]){_SECRET_NAMES}s?(?:[_-][a-z0-9_-]{{1,20}})?" + _ASSIGN + _value("a"),
        r"(?:PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|[a-z](?:Password|Secret|Token|ApiKey))[A-Za-z0-9_]{0,20}"
        + _ASSIGN
        + _value("c"),
        rf"(?i)--[a-z0-9-]{{0,20}}{_SECRET_NAMES}(?:[ \t]+(?!-)|=)" + _value("o"),
        # programs whose option is a secret
        r"""\bcurl\b[^\n;|&]{0,300}?\s(?:-u|--user|-U|--proxy-user)[\s=]*["']?[^\s:"']{0,200}:"""
        r"""(?P<curl>[^\s"']{1,500})""",
        r"""\bsshpass\s+-p\s*["']?(?P<sshpass>[^\s"']{1,500})""",
        r"""\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n;|&]{0,300}?\s-p(?P<mysql>[^\s"']{1,500})""",
    )
)
_HINT = re.compile(
    r"(?i)pass|pwd|secret|token|credential|cookie|authorization|[a-z_-]key|connection.?string|dsn|bearer|"
    r"://[^\s/]{0,700}@|gh[pousr]_|github_pat|glpat|gldt|xox|npm_|pypi-|hf_|dop_v1|shpat_|whsec|[sr]k_|"
    r"\bsk-|SG\.|ATATT|nvapi-|r8_|AKIA|ASIA|AIza|ya29|eyJ|slack\.com|curl|mysql|mariadb|BEGIN"
)


def redact(value: Any) -> Any:
    """`value` (JSON) without secrets; long texts, deep and wide values are cut and say so."""
    if type(value) is dict:
        return {str(name): _Cut().within(item, 0, str(name)) for name, item in value.items()}
    return _Cut().within(value, 0)


def redact_text(text: str) -> str:
    """`text` without secrets, cut at `TEXT_LIMIT`."""
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    window = text[: TEXT_LIMIT + _OVERLAP]
    rest = f"[cut {len(text) - TEXT_LIMIT}]" if len(text) > TEXT_LIMIT else ""
    if not _HINT.search(window):
        return window[:TEXT_LIMIT] + rest
    out, done = [], 0
    for start, backwards in sorted(_secrets(window)):  # of two that begin together the longer one
        end = -backwards
        if start >= TEXT_LIMIT:
            break
        if start < done < end:
            start = done
        if start >= done:
            out += [window[done:start], _mark(window[start:end])]
            done = end
    return "".join(out) + window[done:TEXT_LIMIT] + rest


def _secrets(text: str) -> Iterator[tuple[int, int]]:
    for rule in _RULES:
        for found in rule.finditer(text):
            group = found.lastgroup
            if group is not None and not _placeholder(found[group]):
                yield found.start(group), -found.end(group)


def _placeholder(value: str) -> bool:
    """Whether the text only refers to a secret, or was redacted before."""
    return value.startswith(("$", "[redacted", "<", "***", "%(", "{{")) or value in ("true", "false", "null")


def _mark(secret: str) -> str:
    shape = _KNOWN_SHAPE.match(secret)
    return f"{shape.group() if shape else ''}[redacted {len(secret)}]"


class _Cut:
    """One walk over a JSON value with what is left of its budget."""

    def __init__(self) -> None:
        self.left = _BUDGET

    def within(self, value: Any, depth: int, name: str = "") -> Any:
        if isinstance(value, str):
            return self._text(value, name)
        if depth > _DEPTH or (self.left <= 0 and isinstance(value, dict | list | tuple)):
            return "[cut]"
        if isinstance(value, dict):
            return self._object(value, depth)
        if isinstance(value, list | tuple):
            kept = [self.within(item, depth + 1, name) for item in value[:_ITEMS]]
            return kept if len(value) <= _ITEMS else [*kept, f"[cut {len(value) - _ITEMS}]"]
        self.left -= 8
        if type(value) is int and abs(value) > _SAFE_INTEGER:
            return str(value)[:64]
        return value

    def _object(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for name, item in value.items():
            if len(kept) >= _ITEMS:
                kept["[cut]"] = len(value) - _ITEMS
                break
            self.left -= len(name)
            kept[redact_text(str(name))] = self.within(item, depth + 1, str(name))
        return kept

    def _text(self, value: str, name: str) -> str:
        if self.left <= 0:
            return f"[cut {len(value)}]"
        if name and _SECRET_KEY.search(name) and not _NOT_SECRET_KEY.search(name):
            return value if not value or _placeholder(value) else _mark(value)
        text = redact_text(value)
        self.left -= len(text)
        return text
