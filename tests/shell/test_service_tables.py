"""What holds for all services at once: unseen verbs, unknown words, help, statements, what runs elsewhere."""

from __future__ import annotations

import shlex

import pytest

from ringwall.model.analysis import HOLE
from ringwall.model.effects import Effect, covers
from ringwall.shell.tables import tables
from ringwall.shell.understand import understand

from .world import analysed

STOPPING = ("cloud.write", "data.destroy", "deploy", "network.send", "publish", "remote", "system")
NOUN_AND_VERB = [program.row.names[0] for program in tables() if program.row.verbs == "words"]


def names(line: str) -> set[str]:
    return {effect.name for effect in understand(tuple(shlex.split(line.replace("{?}", HOLE)))).effects}


def stops(found: set[str]) -> bool:
    return any(covers(general, name) for general in STOPPING for name in found)


def effects(line: str) -> tuple[Effect, ...]:
    return analysed(line).effects


@pytest.mark.parametrize("program", [*NOUN_AND_VERB, "az", "gcloud"])
@pytest.mark.parametrize("verb", ["delete", "purge"])
def test_a_noun_never_heard_of_is_judged_by_its_verb(program: str, verb: str) -> None:
    assert "data.destroy" in names(f"{program} gizmo {verb} x")


def test_an_operation_of_aws_stands_second() -> None:
    assert "data.destroy" in names("aws newservice delete-gizmo --name x")
    assert "data.destroy" in names("aws newservice batch-delete-gizmos --names x")
    assert "cloud.write" in names("aws newservice frobnicate-gizmo --name x")
    assert names("aws newservice describe-gizmos --name delete-x") == {"cloud.read"}


@pytest.mark.parametrize("program", NOUN_AND_VERB)
def test_looking_at_a_noun_never_heard_of_is_free(program: str) -> None:
    assert not stops(names(f"{program} gizmo list"))


@pytest.mark.parametrize("program", NOUN_AND_VERB)
def test_help_of_a_destroying_verb_is_free(program: str) -> None:
    assert not stops(names(f"{program} gizmo delete --help"))


@pytest.mark.parametrize(
    "line",
    [
        "aws ec2 {?} --instance-ids i",
        "kubectl {?} pod x",
        "gh {?} 4",
        "docker {?} x",
        "terraform {?}",
        "curl -X {?} https://api.example.org/x",
        "az vm {?} -n x",
        "gcloud compute instances {?} x",
        "redis-cli {?}",
    ],
)
def test_a_verb_that_is_not_known_may_be_the_worst(line: str) -> None:
    assert stops(names(line))


@pytest.mark.parametrize(
    ("line", "destroys"),
    [
        ("psql -c 'DROP TABLE shop'", True),
        ("psql -d shop --command='truncate orders'", True),
        ("psql -c 'SELECT dropped FROM orders'", False),
        ("mysql -e 'DELETE FROM orders'", True),
        ("mysql -N -e 'SHOW TABLES'", False),
        ("echo 'DROP DATABASE shop' | psql", True),
        ("psql <<'END'\nDROP TABLE shop;\nEND", True),
        ("bq query 'DROP TABLE d.t'", True),
        ("wrangler d1 execute db --command 'DROP TABLE t'", True),
    ],
)
def test_a_statement_decides_what_a_database_client_does(line: str, destroys: bool) -> None:
    assert any(effect.name == "data.destroy" for effect in effects(line)) is destroys


@pytest.mark.parametrize(
    "line", ["ssh web7 'sudo reboot'", "docker exec web sudo reboot", "kubectl exec web-0 -- sudo reboot"]
)
def test_what_runs_elsewhere_is_walked_too(line: str) -> None:
    assert any(covers("privilege", effect.name) for effect in effects(line))


def test_a_secret_handed_to_a_service_is_seen() -> None:
    found = {effect.name for effect in effects("gh secret set KEY < ~/.ssh/id_ed25519")}
    assert {"remote.write", "read.secret"} <= found
