"""What the walk makes of words, variables, functions and control flow."""

from __future__ import annotations

import pytest

from ringwall.model.analysis import HOLE

from .world import World, analysed, argvs, effects, targets


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("c=rm; $c -r old", ("rm", "-r", "old")),
        ("C='rm -r old'; $C", ("rm", "-r", "old")),
        ("C='rm -r old'; \"$C\"", ("rm -r old",)),
        ("ls${IFS}-l${IFS}src", ("ls", "-l", "src")),
        ("A=1 B=2; ls $A$B", ("ls", "12")),
        ("ls ${missing_here:-}x", ("ls", HOLE + "x")),
        ("D=src; ls ${D:-other}", ("ls", "src")),
        ("unset D; ls ${D:-other}", ("ls", "other")),
        ("D=; ls ${D:+set}done", ("ls", "done")),
        ("f=a.tar.gz; ls ${f%.gz} ", ("ls", "a.tar")),
        ("f=a.tar.gz; ls ${f%%.*}", ("ls", "a")),
        ("f=/x/y/z; ls ${f##*/}", ("ls", "z")),
        ("f=/x/y/z; ls ${f#/x}", ("ls", "/y/z")),
        ("f=abc; ls ${f/b/-}", ("ls", "a-c")),
        ("f=abcdef; ls ${f:1:3}", ("ls", "bcd")),
        ("ls ~/x ~root", ("ls", "/home/dev/x", "/root")),
        ("ls '~/x'", ("ls", "~/x")),
        ("ls $HOME/x", ("ls", "/home/dev/x")),
        ("cd sub; ls $PWD", ("ls", "/home/dev/app/sub")),
        ("cd sub; cd ..; ls $OLDPWD", ("ls", "/home/dev/app/sub")),
        ("a=(x y z); ls ${a[1]}", ("ls", "y")),
        ('a=(x "y z"); ls "${a[@]}"', ("ls", "x", "y z")),
        ("set -- p q; ls $2 $#", ("ls", "q", "2")),
        ("set -- p q; shift; ls $1", ("ls", "q")),
        ("f() { ls $1; }; f deep", ("ls", "deep")),
        ("ls $(echo one two)", ("ls", "one", "two")),
        ('ls "$(printf "%s-%s" a b)"', ("ls", "a-b")),
        ("ls $(echo c3Jj | base64 -d)", ("ls", "src")),
        ("ls $(echo crs | rev)", ("ls", "src")),
        ("ls $(echo SRC | tr A-Z a-z)", ("ls", "src")),
        ("ls $(cat <<< here)", ("ls", "here")),
        ("printf -v name '%s' val; ls $name", ("ls", "val")),
        ("read a b <<< 'one two'; ls $b", ("ls", "two")),
        ("export D=src; ls $D", ("ls", "src")),
        ("D=a; D+=b; ls $D", ("ls", "ab")),
    ],
)
def test_words_are_evaluated_as_bash_would(text: str, last: tuple[str, ...]) -> None:
    assert argvs(text)[-1] == last


def test_prefix_assignments_do_not_reach_the_words_of_their_command() -> None:
    assert argvs("D=/ ls $D")[-1] == ("ls", HOLE)


def test_a_prefix_assignment_reaches_the_shell_that_is_started() -> None:
    assert ("git", "push") in argvs("X='git push' bash -c '$X'")


def test_loops_over_literals_are_unrolled() -> None:
    assert argvs("for f in a b; do ls $f; done") == [("ls", "a"), ("ls", "b")]


def test_a_long_loop_is_walked_once_with_an_unknown_value() -> None:
    words = " ".join(f"w{i}" for i in range(500))
    assert argvs(f"for f in {words}; do ls $f; done") == [("ls", HOLE)]


def test_a_variable_that_a_loop_changes_is_unknown_in_it() -> None:
    assert ("ls", HOLE) in argvs("x=a; while read y; do ls $x; x=b; done")


def test_branches_that_disagree_leave_a_variable_unknown() -> None:
    assert argvs("if test -d a; then D=a; else D=b; fi; ls $D")[-1] == ("ls", HOLE)


def test_an_alternative_that_leaves_does_not_blur_what_follows() -> None:
    assert analysed("cd sub || exit 1; ls").commands[-1].cwd == "/home/dev/app/sub"


def test_a_subshell_keeps_its_directory_to_itself() -> None:
    analysis = analysed("(cd sub && ls a); ls b")
    assert [c.cwd for c in analysis.commands if c.argv[0] == "ls"] == ["/home/dev/app/sub", "/home/dev/app"]


def test_no_command_of_an_unlikely_branch_is_dropped() -> None:
    assert ("git", "push") in argvs("false && git push")
    assert ("git", "push") in argvs("case x in y) git push;; esac")


def test_an_unknown_command_name_is_opaque_and_what_follows_it_may_run() -> None:
    analysis = analysed("$RUNNER git push")
    assert "code.opaque" in {e.name for e in analysis.effects}
    push = next(e for e in analysis.effects if e.name == "git.push")
    assert not push.certain


def test_a_function_that_calls_itself_ends() -> None:
    assert ("ls", "x") in argvs("f() { ls x; f; }; f")


def test_a_fork_bomb_is_catastrophic() -> None:
    assert "catastrophic" in effects(":(){ :|:& };:")
    assert "catastrophic" in effects("b() { b & b; }; b")


def test_recursion_over_a_tree_is_no_fork_bomb() -> None:
    assert "catastrophic" not in effects('walk() { ls "$1"; walk "$1/a"; }; walk .')


def test_an_empty_variable_is_thought_through_to_the_end() -> None:
    world = World()
    whole = [
        e for e in analysed('rm -rf "$DIR"/', world).effects if (e.name, e.target) == ("catastrophic", "/")
    ]
    assert whole
    assert not whole[0].certain
    assert "/" not in targets('rm -rf "${DIR:?}"/', "catastrophic", world)


def test_eval_trap_and_aliases_are_walked() -> None:
    assert ("git", "push") in argvs("X='git push'; eval \"$X\"")
    assert ("git", "push") in argvs("trap 'git push' EXIT")
    assert ("git", "push", "origin") in argvs("alias p='git push'\np origin")


def test_text_that_is_data_stays_data() -> None:
    text = "echo 'git push'; git commit -m 'rm -rf /'; cat > NOTES.md <<'EOF'\nrm -rf /\nEOF"
    assert {argv[0] for argv in argvs(text)} == {"echo", "git", "cat"}
    assert not {"git.push", "delete.recursive"} & effects(text)


def test_substitutions_run_wherever_they_stand() -> None:
    for text in (
        "echo `git push`",
        "echo $(git push)",
        'echo "$(git push)"',
        "x=$(git push)",
        "cat <(git push)",
        "echo hi > $(git push)",
        "echo $((1 + $(git push)))",
        "cat <<EOF\n$(git push)\nEOF",
        "a=($(git push))",
        "echo ${x:-$(git push)}",
    ):
        assert ("git", "push") in argvs(text), text


def test_redirects_write_where_they_point() -> None:
    assert targets("echo x > out.txt", "write") == {"out.txt"}
    assert effects("git status > /dev/null 2>&1") == {"observe"}
    write = next(e for e in analysed("ls > out.txt").effects if e.name == "write")
    assert write.command == 0
    assert write.span == (5, 12)


def test_sockets_of_the_shell_are_network() -> None:
    assert "network.send" in effects("echo x > /dev/tcp/host/80")


def test_an_analysis_is_the_same_every_time() -> None:
    text = "for i in 1 2; do echo $i | tee f$i; done; bash -c 'ls $0' x"
    assert analysed(text) == analysed(text)


def test_too_many_commands_are_a_doubt() -> None:
    text = "; ".join("true" for _ in range(6_000))
    assert analysed(text).doubts


def test_text_that_runs_itself_is_a_doubt_not_a_hang() -> None:
    assert "too_deep" in {doubt.code for doubt in analysed('X=\'eval "$X"\'; eval "$X"').doubts}


def test_a_value_that_doubles_and_doubles_is_given_up() -> None:
    text = "x=aaaaaaaaaaaaaaaa; " + "x=$x$x; " * 60 + "ls $x"
    assert argvs(text)[-1] == ("ls", HOLE)
