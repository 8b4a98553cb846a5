"""Secrets leave no trace in the journal; everything else stays as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.journal.redact import TEXT_LIMIT, nothing_to_redact, redact, redact_text
from ringwall.model.canonical import canonical

SECRET = "Zq7vK2mX9pL4wR8tB3nY"

SHAPES = [
    "export API_TOKEN={}",
    "API_TOKEN='{}' make deploy",
    'PASSWORD="{}" psql',
    "PGPASSWORD={} psql -h db",
    "psql postgresql://bob:{}@db/shop",
    "git clone https://{}@example.com/a.git",
    "git clone https://x:{}@example.com/a.git",
    "curl -H 'Authorization: Bearer {}' https://example.com",
    'curl -H "authorization: token {}" https://example.com',
    "curl -H 'Authorization: Basic {}' https://example.com",
    "curl -H 'X-Api-Key: {}' https://example.com",
    "curl -H 'Cookie: sid={}' https://example.com",
    "curl -u bob:{} https://example.com",
    "curl 'https://example.com/?access_token={}&x=1'",
    'curl -d \'{{"password": "{}"}}\' https://example.com',
    'curl -d "{{\\"client_secret\\": \\"{}\\"}}" https://example.com',
    "mysql -uroot -p{} shop",
    "sshpass -p {} ssh host",
    "tool --password {} --verbose",
    "tool --api-key={}",
    "aws configure set aws_secret_access_key = {}",
    "ghp_{}",
    "sk-ant-{}",
    "export TOKEN=$'{}'",
    "docker login -u x -p {} registry.example.com",
    "echo {} | docker login -u x --password-stdin",
    "gh auth login --with-token <<< {}",
    "echo 'bob:{}' | chpasswd",
    "htpasswd -b file bob {}",
    "twine upload -p {} dist/*",
    "redis-cli -a {} keys '*'",
    "ldapsearch -D cn=x -w {}",
    "ssh-keygen -N {} -f key",
    "openssl enc -aes256 -k {}",
    "openssl enc -pass pass:{}",
    "vault login {}",
    "zip -P {} a.zip a",
    "7z a -p{} a.7z",
    "curl -b 'sid={}' https://example.com",
    "aws configure set aws_secret_access_key {}",
    "npm config set //registry.example.org/:_authToken {}",
    "set -x PASSWORD {}",
    "AKIA{}",
    "eyJhbGciOi{0}.{0}.{0}",
    "const apiKey = '{}';",
    "clientSecret: {}",
    "-----BEGIN PRIVATE KEY-----\n{0}\n{0}\n-----END PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\n{}",
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("around", ["{}", "true && {} || false", "x" * (TEXT_LIMIT - 30) + " {}"])
def test_a_secret_is_gone_and_its_place_shown(shape: str, around: str) -> None:
    text = redact_text(around.format(shape.format(SECRET)))
    assert SECRET not in text
    assert SECRET[:12] not in text
    assert "redacted" in text or "cut" in text


@pytest.mark.parametrize(
    "text",
    [
        "grep -rn password src/",
        "docker run -p 8080:80 nginx",
        "mkdir -p login/src",
        "zip -r a.zip src",
        "gh auth login --with-token",
        "vault login -method=oidc",
        "set -e; cat password.txt",
        "cat token.txt",
        "echo $GITHUB_TOKEN",
        'curl -H "Authorization: Bearer $TOKEN" https://example.com',
        "docker login --password-stdin",
        "ssh git@example.com",
        "git commit -m 'read the token from the keyring'",
        "passwordReset(user)",
        "kubectl get secrets",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_text(text) == text


def test_fields_that_are_named_like_secrets() -> None:
    given_input = {"apiKey": SECRET, "nested": [{"Password": SECRET, "db_token": SECRET}], "max_tokens": "12"}
    kept = redact({"input": given_input})["input"]
    assert kept == {
        "apiKey": "[redacted 20]",
        "nested": [{"Password": "[redacted 20]", "db_token": "[redacted 20]"}],
        "max_tokens": "12",
    }


def test_the_shape_of_a_known_token_stays() -> None:
    assert redact_text(f"ghp_{SECRET}") == "ghp_[redacted 24]"


def test_long_deep_and_wide_values_are_cut_and_say_so() -> None:
    assert redact_text("a" * 10_000) == "a" * TEXT_LIMIT + "[cut 1808]"
    deep: object = "x"
    for _ in range(200):
        deep = [deep]
    assert "[cut]" in str(redact({"input": deep}))
    wide = redact({"input": {str(n): "y" * 1000 for n in range(5000)}, "verdict": "deny"})
    assert len(str(wide)) < 200_000
    assert wide["verdict"] == "deny"
    assert redact({"n": 2**80})["n"] == str(2**80)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


@given(JSON)
def test_the_short_way_is_taken_only_where_nothing_would_change(value: object) -> None:
    given_value = {"input": value, "mode": "bypassPermissions"}
    try:
        text = canonical(given_value).decode()
    except ValueError:
        return
    assert not nothing_to_redact(text) or redact(given_value) == given_value


@pytest.mark.parametrize("shape", SHAPES)
def test_the_short_way_is_not_taken_with_a_secret(shape: str) -> None:
    assert not nothing_to_redact(canonical({"input": {"command": shape.format(SECRET)}}).decode())


@pytest.mark.parametrize(
    "name", ["pass", "dbPass", "password", "apiKey", "Authorization", "auth-token", "dsn"]
)
def test_the_short_way_is_not_taken_with_a_field_that_hides(name: str) -> None:
    value = {"input": {name: SECRET}}
    assert redact(value) != value
    assert not nothing_to_redact(canonical(value).decode())


@given(JSON)
def test_any_value_is_taken_and_a_second_pass_changes_nothing(value: object) -> None:
    once = redact({"input": value})
    assert redact(once) == once
