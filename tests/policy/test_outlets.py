"""`[deploy]` and `[notify]`: read strictly, and only from files that a person trusts."""

from __future__ import annotations

import pytest

from ringwall.policy.load import Loaded, load
from ringwall.policy.source import LayerFiles, PolicyFile
from ringwall.shell.analyse import command_pattern
from shell.world import World

GOOD = """
[deploy]
staging = ["./deploy.sh", "staging"]
[notify]
desktop = true
webhook = "https://hooks.example.com/x"
ntfy = "http://localhost:8080/topic"
"""


def loaded(project: str = "", user: str = "", trusted: bool = False) -> Loaded:
    files = {
        name: LayerFiles(PolicyFile(f"/{name}/ringwall.toml", text.encode()))
        for name, text in (("project", project), ("user", user))
        if text
    }
    return load(places=World().places, read_command=command_pattern, trusted=trusted, **files)


def test_what_a_trusted_file_says_counts() -> None:
    for found in (loaded(user=GOOD), loaded(project=GOOD, trusted=True)):
        assert not found.problems
        outlets = found.policy.outlets
        assert outlets.deploy == (("staging", ("./deploy.sh", "staging")),)
        assert (outlets.desktop, outlets.webhook) == (True, "https://hooks.example.com/x")
        assert outlets.ntfy == "http://localhost:8080/topic"


def test_what_no_person_has_trusted_counts_for_nothing() -> None:
    found = loaded(project=GOOD)
    assert found.policy.outlets == type(found.policy.outlets)()
    layer = found.policy.layers[-1]
    assert {ref.text for ref in layer.dropped} == {
        "deploy.staging", "notify.desktop", "notify.webhook", "notify.ntfy",
    }  # fmt: skip
    own = loaded(project=GOOD, user='[notify]\nwebhook = "https://own.example.com/"').policy.outlets
    assert (own.webhook, own.ntfy, own.deploy) == ("https://own.example.com/", "", ())


def test_the_users_word_is_the_stronger() -> None:
    user = '[notify]\ndesktop = false\n[deploy]\nstaging = ["true"]'
    outlets = loaded(project=GOOD, user=user, trusted=True).policy.outlets
    assert (outlets.desktop, outlets.deploy) == (False, (("staging", ("true",)),))


@pytest.mark.parametrize(
    "text",
    [
        '[notify]\nwebhook = "http://hooks.example.com/"',
        '[notify]\nwebhook = "file:///etc/passwd"',
        '[notify]\nwebhook = "https://"',
        '[notify]\nwebhook = "https://[x/"',
        "[notify]\nntfy = 7",
        '[notify]\ndesktop = "yes"',
        '[notify]\nmail = "x"',
        'notify = "x"',
        '[deploy]\nstaging = "./deploy.sh"',
        "[deploy]\nstaging = []",
        '[deploy]\nstaging = ["a", 7]',
        '[deploy]\n"a b" = ["x"]',
        "deploy = 1",
    ],
)
def test_anything_else_is_an_error_with_its_line(text: str) -> None:
    found = loaded(user=text)
    assert found.problems and "/user/ringwall.toml:" in found.problems[0].where
    outlets = found.policy.outlets
    assert (outlets.webhook, outlets.ntfy, outlets.desktop, outlets.deploy) == ("", "", False, ())
