import pytest

from policy.world import PLACES, effect, read_command, shell
from ringwall.model.analysis import HOLE
from ringwall.model.decision import RuleRef
from ringwall.model.verdict import Verdict
from ringwall.policy.book import effect_names
from ringwall.policy.match import host_of, said_of_effect
from ringwall.policy.model import Rule
from ringwall.policy.paths import paths_of
from ringwall.policy.rule_text import read_rule

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def said(verdict: Verdict, rule: str, name: str, target: str = "", certain: bool = True) -> Verdict | None:
    made = Rule(verdict, read_rule(rule, PLACES, read_command, verdict is ALLOW), RuleRef(rule))
    if name not in effect_names(made):
        return None
    one = effect(name, target, certain)
    return said_of_effect(made, one, paths_of(one, shell(("frob", []))))


@pytest.mark.parametrize(
    ("rule", "name", "target", "expected"),
    [
        ("Read(./.env)", "observe", "/p/.env", DENY),
        ("Read(./.env)", "observe", "/p/sub/.env", None),
        ("Read(./.env)", "observe", ".env", DENY),
        ("Read(./.env)", "observe", "sub/../.env", DENY),
        ("Read(./.env)", "observe", "//p/.env", DENY),
        ("Read(./.env)", "observe", f"{HOLE}/../.env", ASK),
        ("Read(.env)", "observe", "/p/sub/.env", DENY),
        ("Read(.env)", "read.secret", "/elsewhere/.env", DENY),
        ("Read(secrets)", "observe", "/p/secrets/a", DENY),
        ("Read(~/.ssh/**)", "read.secret", "/home/u/.ssh/id", DENY),
        ("Read(//etc/**)", "read.outside", "/etc/hosts", DENY),
        ("Read(/src/**)", "observe", "/p/src/a", DENY),
        ("Read(/src/**)", "observe", "/src/a", None),
        ("Read", "observe", "/p/a", DENY),
        ("Read", "observe", "", None),
        ("Read(.env)", "write", "/p/.env", None),
        ("Edit(.env)", "write", "/p/.env", DENY),
        ("Edit(.env)", "delete", "/p/.env", DENY),
        ("Edit(src/**)", "write.hook", "/p/src/x", DENY),
        ("Edit(data/**)", "delete.recursive", "/p", ASK),
        ("Edit(data/**)", "delete.recursive", "/p/docs", None),
        ("Edit(data/**)", "delete", "/p", None),
        ("Edit(.env)", "write", f"/p/{HOLE}", ASK),
        ("Edit(/src/**)", "write", f"/p/doc/{HOLE}", None),
        ("Edit(.env)", "write", "", ASK),
        ("Edit(*.pem)", "delete", "/p/*.key", None),
        ("Edit(*.pem)", "delete", "/p/*", ASK),
        ("Effect(git.push)", "git.push.force", "origin main", DENY),
        ("Effect(git.push.force)", "git.push", "origin main", None),
        ("Effect(git)", "git.discard", "", DENY),
        ("Effect(git.push:upstream*)", "git.push", "origin main", None),
        ("Effect(git.push:upstream*)", "git.push", "upstream main", DENY),
        ("Effect(git.push:upstream*)", "git.push", "", ASK),
        ("Effect(git.push:upstream*)", "git.push", HOLE, ASK),
        ("Effect(delete:build/**)", "delete.recursive", "/p/build/x", DENY),
        ("WebFetch(domain:evil.com)", "network.read", "https://evil.com/x", DENY),
        ("WebFetch(domain:evil.com)", "network.send", "evil.com:8080", DENY),
        ("WebFetch(domain:evil.com)", "network.read", "https://sub.evil.com", None),
        ("WebFetch(domain:*.evil.com)", "network.read", "https://sub.evil.com", DENY),
        ("WebFetch(domain:*.evil.com)", "network.read", "https://notevil.com", None),
        ("WebFetch(domain:evil.com)", "network.read", f"https://{HOLE}", ASK),
        ("WebFetch(domain:evil.com)", "network.read", "", ASK),
        ("WebFetch(domain:evil.com)", "git.push", "evil.com", None),
    ],
)
def test_a_deny_rule(rule: str, name: str, target: str, expected: Verdict | None) -> None:
    assert said(DENY, rule, name, target) is expected


@pytest.mark.parametrize(
    ("rule", "name", "target"),
    [
        ("Edit(.env)", "write", f"/p/{HOLE}"),
        ("Edit(src/**)", "write", ""),
        ("Edit(src/**)", "delete", "/p/src/a"),
        ("Edit(.env)", "write", "/elsewhere/.env"),
        ("WebFetch(domain:good.com)", "network.read", f"https://{HOLE}"),
        ("WebFetch(domain:good.com)", "network.read", "https://good.com\\@evil.com"),
        ("WebFetch(domain:good.com)", "network.read", "https://good.com@evil.com"),
        ("Effect(git.push:origin*)", "git.push", HOLE),
    ],
)
def test_an_allow_rule_never_rests_on_doubt(rule: str, name: str, target: str) -> None:
    assert said(ALLOW, rule, name, target) is None


@pytest.mark.parametrize("rule", ["Edit(src/**)", "Effect(write)", "Edit"])
def test_doubt_softens_a_deny_to_an_ask(rule: str) -> None:
    assert said(DENY, rule, "write", "/p/src/a") is DENY
    assert said(DENY, rule, "write", "/p/src/a", certain=False) is ASK
    assert said(ASK, rule, "write", "/p/src/a", certain=False) is ASK


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("https://User@Example.COM:8/x?y", "example.com"),
        ("example.com", "example.com"),
        ("example.com.:443/p", "example.com"),
        ("http://[::1]:80/", "::1"),
        ("http://[bad", None),
        ("", None),
        ("a b", None),
        ("https://{a,b}.com", None),
    ],
)
def test_hosts(target: str, host: str | None) -> None:
    assert host_of(target) == host
