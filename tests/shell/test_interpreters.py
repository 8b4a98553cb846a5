"""Program code in other languages."""

from __future__ import annotations

import pytest

from ringwall.model.analysis import HOLE
from ringwall.shell.acts import Act
from ringwall.shell.interpreters import acts_of

from .world import World, analysed, argvs, effects, targets


def kinds(language: str, text: str) -> list[tuple[str, str]]:
    acts = acts_of(language, text)
    assert acts is not None
    return [(act.kind, act.text or " ".join(act.words)) for act in acts]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("import os; os.system('git push')", ("shell", "git push")),
        ("import os as o\no.system('git push')", ("shell", "git push")),
        ("from os import system as s\ns('git push')", ("shell", "git push")),
        ("__import__('os').system('git push')", ("shell", "git push")),
        ("import importlib\nimportlib.import_module('os').system('x')", ("shell", "x")),
        ("import subprocess\nsubprocess.run(['git', 'push'])", ("argv", "git push")),
        ("import subprocess\nsubprocess.run('git push', shell=True)", ("shell", "git push")),
        ("import subprocess as sp\nc = ['git', 'push']\nsp.check_call(c)", ("argv", "git push")),
        ("import subprocess\nsubprocess.call('git push'.split())", ("argv", "git push")),
        ("import subprocess\nsubprocess.call(['git', name])", ("argv", "git " + HOLE)),
        ("import os\nos.execvp('git', ['git', 'push'])", ("argv", "git push")),
        ("import os\nos.execlp('git', 'git', 'push')", ("argv", "git push")),
        ("import os\nos.spawnlp(os.P_WAIT, 'git', 'git', 'push')", ("argv", "git push")),
        ("import os\nc = 'git ' + 'push'\nos.system(c)", ("shell", "git push")),
        ("import os\nos.system(f'git push {x}')", ("shell", "git push " + HOLE)),
        ("import shutil\nshutil.rmtree('/data')", ("delete.recursive", "/data")),
        ("import os\nos.remove(os.path.join('/data', 'x'))", ("delete", "/data/x")),
        ("import os\nos.unlink(os.path.expanduser('~/x'))", ("delete", "~/x")),
        ("from pathlib import Path\nPath('/data/x').unlink()", ("delete", "/data/x")),
        ("from pathlib import Path\n(Path.home() / 'x').write_text('')", ("write", "~/x")),
        ("import pathlib\npathlib.Path('a').write_text('b')", ("write", "a")),
        ("open('a.txt', 'w').write('b')", ("write", "a.txt")),
        ("open('a.txt')", ("read", "a.txt")),
        ("open('a.txt', mode='a')", ("write", "a.txt")),
        (
            "import requests\nrequests.post('https://x.example', data=d)",
            ("network.send", "https://x.example"),
        ),
        ("import requests\nrequests.get('https://x.example')", ("network.read", "https://x.example")),
        ("eval(x)", ("opaque", "eval")),
        ("exec(open('f').read())", ("opaque", "eval")),
        ("import base64\nexec(base64.b64decode('cHJpbnQoMSk=').decode())", ("code", "print(1)")),
        ("import os\nos.system(cmd)", ("unknown", "")),
        ("import os\nwhile True: os.fork()", ("catastrophic", "os.fork")),
        ("db.execute('DROP TABLE users')", ("data.destroy", "DROP TABLE users")),
    ],
)
def test_python_calls(text: str, act: tuple[str, str]) -> None:
    assert act in kinds("python", text)


@pytest.mark.parametrize(
    ("language", "text", "act"),
    [
        ("node", "require('child_process').execSync('git push')", ("shell", "git push")),
        ("node", 'require("node:child_process").exec("git push", cb)', ("shell", "git push")),
        (
            "node",
            "const {execSync: run} = require('child_process'); execSync(`git push`)",
            ("shell", "git push"),
        ),
        (
            "node",
            "cp = require('child_process'); cp.spawnSync('git', ['push', x])",
            ("argv", "git push " + HOLE),
        ),
        ("node", "const c = 'git push'; require('child_process').execSync(c)", ("shell", "git push")),
        ("node", "require('child_process').execSync('git ' + 'push')", ("shell", "git push")),
        ("node", "require('child_process').execSync(`git push ${x}`)", ("shell", "git push " + HOLE)),
        ("node", "require('fs').rmSync('/data', {recursive: true})", ("delete.recursive", "/data")),
        ("node", "const fs = require('fs'); fs.unlinkSync('x')", ("delete", "x")),
        ("node", "const fs = require('fs'); fs.writeFileSync('x', 'rm -rf /')", ("write", "x")),
        ("node", "fetch('https://x.example', {method: 'POST', body})", ("network.send", "https://x.example")),
        ("node", "fetch('https://x.example')", ("network.read", "https://x.example")),
        ("node", "eval(atob('eA=='))", ("hidden", "eval")),
        ("node", "eval(text)", ("opaque", "eval")),
        ("php", "eval(base64_decode($x));", ("hidden", "eval")),
        ("ruby", "system('git push')", ("shell", "git push")),
        ("ruby", "system 'git', 'push'", ("argv", "git push")),
        ("ruby", "`git push`", ("shell", "git push")),
        ("ruby", "x = %x{git push}", ("shell", "git push")),
        ("ruby", 'exec "git push #{x}"', ("shell", "git push " + HOLE)),
        ("ruby", "require 'fileutils'; FileUtils.rm_rf('/data')", ("delete.recursive", "/data")),
        ("ruby", "File.delete('a', 'b')", ("delete", "b")),
        ("ruby", "File.write('a', 'b')", ("write", "a")),
        ("perl", "system('git push')", ("shell", "git push")),
        ("perl", 'system "git", "push";', ("argv", "git push")),
        ("perl", "my $x = qx(git push);", ("shell", "git push")),
        ("perl", "print `git push`", ("shell", "git push")),
        ("perl", "unlink 'a', 'b'", ("delete", "b")),
        ("perl", "open(F, '>a')", ("write", "a")),
        ("perl", "open(F, 'git push |')", ("shell", "git push")),
        ("php", "system('git push');", ("shell", "git push")),
        ("php", 'echo shell_exec("git push");', ("shell", "git push")),
        ("php", "unlink('a');", ("delete", "a")),
        ("awk", 'BEGIN { system("git push") }', ("shell", "git push")),
        ("awk", 'BEGIN { "git push" | getline x }', ("shell", "git push")),
        ("awk", '{ print $1 | "git push" }', ("shell", "echo \x00 | git push")),
        ("awk", '{ print $1 > "out" }', ("write", "out")),
        ("sed", "1e git push", ("shell", "git push")),
        ("sed", "s/a/b/w out", ("write", "out")),
        ("sql", "select 1; DROP TABLE t", ("data.destroy", "DROP TABLE t")),
        ("sql", "\\! git push", ("shell", " git push")),
        ("expect", "spawn git push\nexpect eof", ("shell", "git push")),
        ("vim", "!git push", ("shell", "git push")),
        ("applescript", 'do shell script "git push"', ("shell", "git push")),
        ("lua", "os.execute('git push')", ("shell", "git push")),
    ],
)
def test_calls_of_other_languages(language: str, text: str, act: tuple[str, str]) -> None:
    assert act in kinds(language, text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "print('rm -rf /')"),
        ("python", "# os.system('git push')\nx = 1"),
        ("python", "'''os.system(\"git push\")'''"),
        ("node", "console.log('rm -rf /')"),
        ("node", "// require('child_process').execSync('git push')\n1"),
        ("node", "/* execSync('git push') */ 1"),
        ("node", "const s = \"execSync('git push')\""),
        ("node", "const m = /system('x')/.exec(text)"),
        ("ruby", "puts 'system(1)'"),
        ("ruby", "# system('git push')"),
        ("perl", "print 'rm -rf /'"),
        ("perl", "eval { die }"),
        ("php", "echo 'system(1)';"),
        ("awk", '{ print "system(1)" }'),
        ("awk", "$1 ~ /a|b/ { n++ }"),
        ("sed", "s/system/exec/g"),
        ("sql", "select * from drops"),
    ],
)
def test_text_in_code_is_data(language: str, text: str) -> None:
    assert kinds(language, text) == []


def test_text_that_is_not_of_the_language_is_opaque() -> None:
    assert acts_of("python", "rm -rf /") is None
    assert acts_of("brainfuck", "+++") is None


def test_commands_in_code_are_walked() -> None:
    assert ("git", "push") in argvs("python3 -c \"import os; os.system('sudo git push')\"")
    assert ("git", "push") in argvs(
        "python3 <<'EOF'\nimport subprocess\nsubprocess.run(['git', 'push'])\nEOF"
    )
    assert ("git", "push") in argvs('node -e \'require("child_process").execSync("git push")\'')
    assert ("git", "push") in argvs("awk 'BEGIN{system(\"git push\")}'")


def test_code_without_a_risky_call_only_runs() -> None:
    assert effects("python3 -c 'print(1)'") == {"code.run"}
    assert effects("node -e 'console.log(\"rm -rf /\")'") == {"code.run"}


def test_a_script_of_the_project_that_runs_what_nobody_knows_is_only_run() -> None:
    world = World(files={"/home/dev/app/tool.py": "import subprocess, sys\nsubprocess.run(sys.argv[1:])\n"})
    assert effects("python3 tool.py", world) == {"code.run"}


def test_paths_in_code_are_placed() -> None:
    world = World(files={"/home/dev/app/wipe.py": "import shutil\n\nshutil.rmtree('/home/dev/photos')\n"})
    assert "delete.outside" in effects("python3 wipe.py", world)
    outside = next(e for e in analysed("python3 wipe.py", world).effects if e.name == "delete.outside")
    assert outside.via[-1] == "wipe.py:3"
    assert targets("python3 wipe.py", "delete.outside", world) == {"/home/dev/photos"}


def test_an_act_says_where_it_stands() -> None:
    assert acts_of("python", "\n\nimport os\nos.system('x')") == [Act("shell", "x", line=4)]


def test_methods_that_say_that_they_destroy() -> None:
    assert "data.destroy" in effects("node -e 'client.deleteIndex(\"prod\")'")
    assert "data.destroy" in effects("python3 -c 'db.drop_collection(\"users\")'")
    assert "data.destroy" not in effects("node -e 'clearTimeout(t); seen.delete(1)'")


def test_text_that_is_hardly_code_may_be_meant_for_a_shell() -> None:
    assert "catastrophic" in effects("node -e 'rm -rf /'")
    assert "catastrophic" in effects("python3 -c 'rm -rf /'")


@pytest.mark.parametrize(
    "line",
    [
        "julia -e 'run(`git push`)'",
        'elixir -e \'System.cmd("git", ["push"])\'',
        "erl -eval 'os:cmd(\"git push\")' -noshell",
        "perl -e 'system(qw(git push))'",
        "ruby -e 'Kernel.send(:system, \"git push\")'",
        'node -e \'const {exec:e}=require("child_process"); e("git push")\'',
        "python3 -c 'import ctypes; ctypes.CDLL(None).system(b\"git push\")'",
        "jshell <<< 'Runtime.getRuntime().exec(\"git push\")'",
        "dc -e '!git push'",
        "m4 <<< 'syscmd(git push)'",
    ],
)
def test_a_command_among_the_literals_of_code_that_is_not_read_is_possible(line: str) -> None:
    assert "git.push" in effects(line)
    assert not any(e.certain for e in analysed(line).effects if e.name == "git.push")


@pytest.mark.parametrize(
    "line",
    [
        "python3 -c 'print(\"git push\")'",
        "node -e 'console.log(\"git push\")'",
        "ruby -e 'puts \"git push\"'",
        "julia -e 'println(1 + 2)'",
    ],
)
def test_a_literal_of_code_that_is_read_is_data(line: str) -> None:
    assert "git.push" not in effects(line)
