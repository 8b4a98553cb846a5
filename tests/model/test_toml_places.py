import tomllib

from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.toml_places import key_lines, line_of

TEXT = """# head
preset = "guarded"

[autonomy]
"*" = "auto_approve"
git.push = "deny"
"git.discard" = "deny"   # why

[autonomy.roles.reader]
write = "deny"

[[permissions.ask]]
rule = "Effect(system)"
[[permissions.ask]]
rule = "Effect(write)"
"""


def test_lines_of_keys_and_tables() -> None:
    lines = key_lines(TEXT)
    assert line_of(lines, ("preset",)) == 2
    assert line_of(lines, ("autonomy", "*")) == 5
    assert line_of(lines, ("autonomy", "git", "push")) == 6
    assert line_of(lines, ("autonomy", "git.discard")) == 7
    assert line_of(lines, ("autonomy", "roles", "reader", "write")) == 10
    assert line_of(lines, ("permissions", "ask", "1", "rule")) == 15
    assert line_of(lines, ("autonomy", "not", "there")) == 4
    assert line_of(lines, ("nowhere",)) == 1


@given(st.text(max_size=200))
def test_answers_for_any_text(text: str) -> None:
    line_of(key_lines(text), ("a", "b"))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for key in values:
        assert line_of(key_lines(text), (key,)) <= text.count("\n") + 1
