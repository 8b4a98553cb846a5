import pytest

from policy.world import PLACES, command, read_command
from ringwall.model.analysis import HOLE
from ringwall.policy.fit import Fit
from ringwall.policy.match_command import command_fit, words_fit
from ringwall.policy.model import CommandPattern
from ringwall.policy.rule_text import read_rule


def pattern(text: str) -> CommandPattern:
    found = read_rule(f"Bash({text})", PLACES, read_command, False)
    assert isinstance(found, CommandPattern)
    return found


def fit(rule: str, text: str | tuple[str, ...], allowing: bool = False, **rest: object) -> Fit:
    return command_fit(pattern(rule), command(text, **rest), "/p", allowing)  # type: ignore[arg-type]


@pytest.mark.parametrize("allowing", [True, False])
@pytest.mark.parametrize(
    ("rule", "text", "matches"),
    [
        ("npm run test:*", "npm run test", True),
        ("npm run test:*", "npm run test --watch", True),
        ("npm run test *", "npm run test --watch", True),
        ("npm run test:*", "npm run testing", False),
        ("npm run test*", "npm run test:unit -v", True),
        ("npm run test", "npm run test", True),
        ("npm run test", "npm run test x", False),
        ("npm run test", "npm run test --watch", False),
        ("rm -rf:*", "rm -fr x", True),
        ("rm -rf:*", "rm --recursive x --force", True),
        ("rm -rf:*", "rm x -R -f", True),
        ("rm -rf:*", "rm -r x", False),
        ("rm -r:*", "rm -rf x", True),
        ("git push:*", "git -C /x push origin", True),
        ("git push", "git -C /x push", True),
        ("git push", "git push --force", False),
        ("git -C /x push", "git push", False),
        ("git -C /x push", "git -C /x push", True),
        ("git * main", "git checkout main", True),
        ("git * main", "git push origin main", True),
        ("git * main", "git main", False),
        ("* --version", "cat --version", True),
        ("frob x:*", "frob x y", True),
        ("frob x:*", "frob y x", False),
        ("frob --a --b", "frob --b --a", False),
        ("frob x", "frob x y", False),
    ],
)
def test_parsed_words(rule: str, text: str, matches: bool, allowing: bool) -> None:
    assert (fit(rule, text, allowing) is Fit.YES) is matches


def test_only_harmless_global_options_are_skipped_by_an_allow() -> None:
    text = "git -c core.pager=evil status"
    assert fit("git status", text, allowing=True) is Fit.NO
    assert fit("git status", text, allowing=False) is Fit.YES


@pytest.mark.parametrize(
    ("rule", "text", "cwd", "loosens", "tightens"),
    [
        ("git status", "/usr/bin/git status", "/p", True, True),
        ("git status", "/tmp/x/git status", "/p", False, True),
        ("git status", "./git status", "/p", False, True),
        ("./gradlew test", "./gradlew test", "/p", True, True),
        ("./gradlew test", "./gradlew test", "/p/sub", False, True),
        ("./gradlew test", "../gradlew test", "/p/sub", True, True),
        ("./gradlew test", "gradlew test", "/p", False, True),
    ],
)
def test_a_program_of_another_place_is_another_program(
    rule: str, text: str, cwd: str, loosens: bool, tightens: bool
) -> None:
    assert (fit(rule, text, True, cwd=cwd) is Fit.YES) is loosens
    assert (fit(rule, text, False, cwd=cwd) is Fit.YES) is tightens


@pytest.mark.parametrize(
    ("rule", "argv", "expected"),
    [
        ("git push:*", ("git", HOLE), Fit.MAYBE),
        ("git push", ("git", "push", HOLE), Fit.MAYBE),
        ("git push:*", ("git", "push", HOLE), Fit.YES),
        ("git push --force:*", ("git", "push", HOLE), Fit.MAYBE),
        ("git push:*", (HOLE, "push"), Fit.MAYBE),
        ("git push:*", (f"gi{HOLE}", "push"), Fit.MAYBE),
        ("git push:*", (f"na{HOLE}", "push"), Fit.NO),
        ("git push origin:*", ("git", "push", f"or{HOLE}"), Fit.MAYBE),
        ("git push origin:*", ("git", "push", f"up{HOLE}"), Fit.NO),
        ("rm -rf data", ("rm", "-rf", HOLE), Fit.MAYBE),
    ],
)
def test_an_unknown_word_may_be_what_a_rule_denies(rule: str, argv: tuple[str, ...], expected: Fit) -> None:
    assert fit(rule, argv) is expected


def test_an_unknown_word_is_never_what_a_rule_allows() -> None:
    assert fit("git push:*", ("git", HOLE), allowing=True) is Fit.NO
    assert fit("git push", ("git", "push", HOLE), allowing=True) is Fit.NO
    assert fit("git push:*", (HOLE, "push"), allowing=True) is Fit.NO
    assert fit("rm *", ("rm", HOLE), allowing=True) is Fit.YES


def test_wrappers_count_for_rules_that_tighten_alone() -> None:
    assert fit("sudo:*", "ls", via=("sudo",)) is Fit.YES
    assert fit("sudo rm:*", "rm x", via=("sudo",)) is Fit.YES
    assert fit("sudo -u bob rm:*", "rm x", via=("sudo",)) is Fit.NO
    assert fit("sudo rm:*", "ls x", via=("sudo",)) is Fit.NO
    assert fit("sudo:*", "ls", allowing=True, via=("sudo",)) is Fit.NO
    assert fit("env:*", "ls", allowing=True, via=("env",)) is Fit.NO


def test_many_stars_and_words_are_cheap() -> None:
    assert words_fit(("*", "a") * 12, ("a",) * 3000, False, False) is Fit.YES
    assert words_fit((*("*", "a") * 12, "z"), ("a",) * 3000, False, False) is Fit.NO
