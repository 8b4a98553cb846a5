"""A rule on a path holds for the file under each of its names, and for what a copy becomes in a folder."""

import pytest

from .conftest import Ground


@pytest.mark.parametrize(
    "line",
    [
        "cat .env",
        "cat settings.txt",
        "cat < settings.txt",
        "echo $(<settings.txt)",
        "python3 -c \"print(open('settings.txt').read())\"",
        "cat src/../settings.txt",
        "source .env",
        ". ./.env",
        "set -a; . settings.txt",
    ],
)
def test_a_denied_file_is_denied_through_a_link(ground: Ground, line: str) -> None:
    ground.write(".env", "A=1\n")
    (ground.project / "settings.txt").symlink_to(".env")
    ground.deny("Read(.env)")
    assert ground.verdict(line) == "deny"


def test_removing_a_link_is_not_removing_what_it_names(ground: Ground) -> None:
    ground.write("src/a.py")
    (ground.project / "b.py").symlink_to("src/a.py")
    ground.deny("Edit(src/**)")
    assert ground.verdict("rm b.py") == "allow"
    assert ground.verdict("echo x > b.py") == "deny"


@pytest.mark.parametrize(
    "line", ["cp x.py src/", "cp x.py src", "mv x.py src", "cp -t src x.py", "ln x.py src"]
)
def test_a_copy_into_a_folder_is_a_write_to_a_file_of_it(ground: Ground, line: str) -> None:
    ground.write("x.py")
    ground.deny("Edit(src/x.py)")
    assert ground.verdict(line) == "deny"
