"""Takes secrets out of what is journalled, and bounds it.

Invariant: the journal never holds a secret that these rules know, nor a digest of one alone; what was
taken out stays visible as its kind and length. Text that a person must judge is shown from the call, not
from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

TEXT_LIMIT = 8_192
"""Characters kept of one string."""

_OVERLAP = 4_096  # read beyond the limit, so that no secret is cut into unrecognisable halves
_BUDGET = 65_536  # characters kept of one field of an event
_ITEMS = 512
_DEPTH = 48
_SHORT = 256  # characters; texts up to this length come again and again
_SAFE_INTEGER = 2**53 - 1

_HIDDEN_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|cookie|"
    r"(?:api|access|private|auth|account|signing|encryption|master|service|shared|storage)[_-]?key|"
    r"connection[_-]?string|dsn)"
)
_SECRET_KEY = re.compile(
    rf"(?i)(?:^|[_\-.]|(?-i:(?<=[a-z])(?=[A-Z])))(?:{_HIDDEN_NAMES}|authorization|bearer|pass)s?$"
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
    quoted = rf"""\$?\\?(?P<{name}q>["'])(?P<{name}v>(?:(?!(?P={name}q))[^\n]){{1,4000}})"""
    bare = rf"""(?P<{name}b>[^\s"'`;&|<>(){{}}\[,$\\][^\s"'`;&|<>(){{}},]{{0,4000}})"""
    return f"(?:{quoted}|{bare})"


_ASSIGN = r"""\\?["']?\s{0,4}[=:]\s{0,4}"""

_TOKENS = (
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "xox", "npm_", "pypi-", "hf_",
    "dop_v1_", "shpat_", "whsec_", "k_live_", "k_test_", "sk-", "sg.", "age-secret-key-", "atatt", "nvapi-",
    "r8_", "akia", "asia", "aiza", "ya29.", "eyj",
)  # fmt: skip
_NAMES = (
    "passw",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "credential",
    "cookie",
    "key",
    "connection",
    "dsn",
)

_FED = ("password-stdin", "with-token", "chpasswd")


def _option(program: str, option: str, name: str) -> str:
    """The value of a program's option."""
    return rf"""\b(?:{program})\b[^\n;|&]{{0,300}}?\s{option}\s*["']?(?P<{name}>[^\s"'-][^\s"']{{3,500}})"""


_RULES = tuple(
    (hints, re.compile(pattern))
    for hints, pattern in (
        # private keys, to their end or the end of the text
        (
            ("private key",),
            r"(?s)-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<pem>.*?)(?:-----END|\Z)",
        ),
        # tokens that show what they are
        (_TOKENS, rf"\b(?P<token>{_SHAPE}[A-Za-z0-9_\-.]{{12,}})"),
        (("slack.com",), r"(?i)hooks\.slack\.com/services/(?P<slack>[A-Za-z0-9/]+)"),
        # headers
        (
            ("authorization",),
            r"""(?i)\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?"""
            r"""(?:(?:bearer|basic|token|digest|apikey)\s+)?(?P<header>[^\s"',]{3,4000})""",
        ),
        (("bearer",), r"(?i)\bbearer\s+(?P<bearer>[A-Za-z0-9_\-.=+/~]{8,})"),
        (
            ("key:", "token:"),
            r"(?i)\b(?:x-[a-z-]{0,40}(?:key|token)|api-?key|private-token|job-token):"
            r"""\s*(?P<key>[^\s"']{3,4000})""",
        ),
        (("cookie:",), r"""(?i)\b(?:set-)?cookie:\s*(?P<cookie>[^"'\n]{3,4000})"""),
        # user information in a URL
        (
            ("://",),
            r"""(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/@:"']{0,200}:(?P<userinfo>[^\s/@"']{1,500})@""",
        ),
        (("://",), r"""(?i)\bhttps?://(?P<user>[^\s/@:"']{12,500})@"""),
        # name=value, name: value, --name value
        (
            _NAMES,
            rf"(?i)(?<![a-z0-9]){_HIDDEN_NAMES}s?(?:[_-][a-z0-9_-]{{1,20}})?" + _ASSIGN + _value("a"),
        ),
        (
            ("passw", "secret", "token", "apikey"),
            r"(?:PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|[a-z](?:Password|Secret|Token|ApiKey))[A-Za-z0-9_]{0,20}"
            + _ASSIGN
            + _value("c"),
        ),
        (_NAMES, rf"(?i)--[a-z0-9-]{{0,20}}{_HIDDEN_NAMES}(?:[ \t]+(?!-)|=)" + _value("o")),
        # programs whose option is a secret
        (
            ("curl",),
            r"""\bcurl\b[^\n;|&]{0,300}?\s(?:-u|--user|-U|--proxy-user)[\s=]*["']?[^\s:"']{0,200}:"""
            r"""(?P<curl>[^\s"']{1,500})""",
        ),
        (("sshpass",), r"""\bsshpass\s+-p\s*["']?(?P<sshpass>[^\s"']{1,500})"""),
        (
            ("mysql", "mariadb"),
            r"\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n;|&]{0,300}?"
            r"""\s-p(?P<mysql>[^\s"']{1,500})""",
        ),
        (("login",), _option(r"login", "-p", "login")),
        (("twine",), _option(r"twine", "-p", "twine")),
        (("redis-cli",), _option(r"redis-cli", "-a", "redis")),
        (("ldap",), _option(r"ldap[a-z]+", "-w", "ldap")),
        (("ssh-keygen",), _option(r"ssh-keygen", "-[NP]", "keygen")),
        (("openssl",), _option(r"openssl", "-[kK]", "openssl")),
        (("pass:",), r"""\bpass:(?P<pass>[^\s"']{1,500})"""),
        (("zip", "7z"), _option(r"(?:un)?zip|7za?", "-[pP]", "zip")),
        (
            ("htpasswd",),
            r"""\bhtpasswd\s+-[A-Za-z]*b[A-Za-z]*\s+\S+\s+\S+\s+["']?(?P<htpasswd>[^\s"']{1,500})""",
        ),
        (("vault",), r"""\bvault\s+login\s+(?!-)["']?(?P<vault>[^\s"'=]{8,500})"""),
        (
            ("curl",),
            r"""\bcurl\b[^\n;|&]{0,300}?\s(?:-b|--cookie)[\s=]*["']?[^\s=;"']{1,200}=(?P<jar>[^\s"']{1,4000})""",
        ),
        # a name and its value as two words of a configuration
        (
            ("_key", "token", "_password", "_auth"),
            r"""(?i)(?:aws_secret_access_key|aws_session_token|_authtoken|_password|\b_auth)\s+(?!=)["']?"""
            r"""(?P<two>[^\s"'=-][^\s"']{5,500})""",
        ),
        (
            _NAMES,
            r"""(?i)\bset\s+-[a-z]+\s+[a-z0-9_]{0,40}"""
            + _HIDDEN_NAMES
            + r"""\s+["']?(?P<fish>[^\s"']{1,500})""",
        ),
        # fed through standard input
        (
            _FED,
            r"""\b(?:echo|printf)\s+(?:-[a-z]+\s+)?["']?(?P<piped>[^\s"'|]{6,500})[^|\n]{0,40}\|[^|\n;]{0,300}"""
            r"""(?:--password-stdin|--with-token|\bchpasswd)""",
        ),
        (
            _FED,
            r"""(?:--password-stdin|--with-token|\bchpasswd)[^|\n;]{0,200}<<<\s*["']?(?P<fed>[^\s"']{6,500})""",
        ),
    )
)
"""Each rule with the words (in small letters) of which one must be there for it to match."""

_HINTS = tuple(dict.fromkeys(hint for hints, _ in _RULES for hint in hints))
_FIELD_HINTS = tuple(
    hint for hint in (*_HINTS, 'pass"') if not any(other in hint for other in _HINTS if other != hint)
)
"""Those and what names a secret field, without the words that hold another of them."""
_MARKS = "_-."


def _ending(mark: str) -> re.Pattern[str]:
    """Any hint that ends with `mark`; sought by the mark, which is rarer than their other characters."""
    words = "|".join(f"(?<={re.escape(hint)})" for hint in _FIELD_HINTS if hint[-1] == mark)
    return re.compile(f"{re.escape(mark)}(?:{words})")


_MARKED = tuple(map(_ending, _MARKS))
_UNMARKED = tuple(hint for hint in _FIELD_HINTS if hint[-1] not in _MARKS)


def nothing_to_redact(text: str) -> bool:
    """Whether `redact` would change nothing in the value that this is the JSON of: it is short, and no
    word of any rule stands in it. Most records are so, and need no walk."""
    if len(text) > TEXT_LIMIT:
        return False
    before, _, trace = text.partition(_TRACE)  # no word of a rule goes across this
    return _without_hints(before) and _without_hints_again(trace)


def _without_hints(text: str) -> bool:
    small = text.lower()
    for hint in _UNMARKED:
        if hint in small:
            return False
    return not any(words.search(small) for words in _MARKED)


_TRACE = ',"trace":'
_without_hints_again = lru_cache(maxsize=512)(_without_hints)  # calls that are alike have the same trace


def redact(value: Any) -> Any:
    """`value` (JSON) without secrets; long texts, deep and wide values are cut and say so."""
    if type(value) is dict:
        return {str(name): _Cut().within(item, 0, str(name)) for name, item in value.items()}
    return _Cut().within(value, 0)


def redact_text(text: str) -> str:
    """`text` without secrets, cut at `TEXT_LIMIT`."""
    return _short(text) if len(text) <= _SHORT else _redacted(text)


def _redacted(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    window = text[: TEXT_LIMIT + _OVERLAP]
    rest = f"[cut {len(text) - TEXT_LIMIT}]" if len(text) > TEXT_LIMIT else ""
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


_short = lru_cache(maxsize=4096)(_redacted)


def _secrets(text: str) -> Iterator[tuple[int, int]]:
    small = text.lower()
    there = {hint for hint in _HINTS if hint in small}
    for hints, rule in _RULES if there else ():
        if there.isdisjoint(hints):
            continue
        for found in rule.finditer(text):
            group = found.lastgroup
            if group is not None and not _placeholder(found[group]):
                yield found.start(group), -found.end(group)


@lru_cache(maxsize=1024)
def _hides(name: str) -> bool:
    """Whether a field of this name holds a secret."""
    return bool(_SECRET_KEY.search(name)) and not _NOT_SECRET_KEY.search(name)


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
        if name and _hides(name):
            return value if not value or _placeholder(value) else _mark(value)
        text = redact_text(value)
        self.left -= len(text)
        return text
