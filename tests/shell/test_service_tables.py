"""What holds for all services at once: unseen verbs, unknown words, help, statements, what runs elsewhere."""

from __future__ import annotations

import shlex

import pytest

from ringwall.model.analysis import HOLE
from ringwall.model.effects import Effect, covers
from ringwall.shell.tables import tables
from ringwall.shell.understand import understand

from .world import ROOT, World, analysed

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


@pytest.mark.parametrize(
    "line",
    [
        "gizmoctl describe web --filter-release v2",
        "gizmoctl list --format json",
        "gizmoctl services show delete-me",
        "gizmoctl deploy --help",
        "gizmoctl builds list --env prod purge",
    ],
)
def test_words_of_an_unknown_program_that_only_look_raise_no_alarm(line: str) -> None:
    assert names(line) == {"tool.unknown"}


@pytest.mark.parametrize(
    "line",
    [
        "gizmoctl web destroy",
        "gizmoctl delete-cluster main",
        "gizmoctl --env prod cache purge",
        "gizmoctl cache:flush",
        "gizmoctl verify --delete",
        "gizmo.jar -s http://x delete-job web",
        "split segments delete beta",
    ],
)
def test_an_act_of_loss_of_an_unknown_program_is_feared(line: str) -> None:
    assert "data.destroy" in names(line)


@pytest.mark.parametrize(
    ("line", "feared"),
    [
        ("gizmoctl subscriptions cancel s1", True),
        ("gizmoctl workspace create x", True),
        ("gizmoctl ./a.txt create", False),
        ("gizmoctl workspace list", False),
        ("gizmoctl build assets", False),
    ],
)
def test_a_thing_and_an_act_on_it_are_the_speech_of_a_service(line: str, feared: bool) -> None:
    assert stops(names(line)) is feared


@pytest.mark.parametrize("noun", ["build", "release", "deploy", "backup", "schedule"])
def test_a_thing_named_like_a_verb_can_be_looked_at(noun: str) -> None:
    assert not stops(names(f"glab {noun} list"))
    assert not stops(names(f"bk {noun} view 12"))
    assert stops(names(f"bk {noun} create"))


def test_a_row_for_a_noun_hides_no_act_of_loss() -> None:
    assert "data.destroy" in names("auth0 logs streams delete x")
    assert "data.destroy" in names("gitlab-runner verify --delete")
    assert not stops(names("auth0 logs streams list"))


def test_help_and_dry_runs_of_a_program_hold_for_its_subcommands() -> None:
    assert names("vercel rm web -h") == {"observe"}
    assert names("fly volumes destroy v --dry-run") == {"observe"}
    assert "data.destroy" in names("kubectl delete pod x --dry-run=none")


def test_a_jar_is_known_by_its_file() -> None:
    found = effects("java -jar ./tools/jenkins-cli.jar -s http://ci delete-job web")
    assert any(effect.name == "data.destroy" for effect in found)


def test_statements_of_a_file_are_read_where_a_client_is_told_to() -> None:
    world = World({f"{ROOT}/drop.sql": "DROP TABLE orders;"})
    for line in (
        "sqlite3 a.db '.read drop.sql'",
        "psql -c '\\i drop.sql'",
        "mysql -e 'source drop.sql'",
    ):
        assert any(e.name == "data.destroy" for e in analysed(line, world).effects), line


@pytest.mark.parametrize(("where", "destroys"), [("", True), (" WHERE id = 1", False)])
def test_a_change_of_every_row_is_a_loss(where: str, destroys: bool) -> None:
    found = effects(f"psql -c 'UPDATE users SET admin = true{where}' shop")
    assert any(effect.name == "data.destroy" for effect in found) is destroys
