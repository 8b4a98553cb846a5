#!/bin/sh
# Installs what the tests use beyond Python: the agent binaries (npm) and a browser (apt, as root).
# What cannot be had is named; the tests that need it then skip and say so.
set -u
say() { printf '%s\n' "$*" >&2; }

can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }
apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/dev/null 2>&1; }

need() { # need PROGRAM PACKAGE WHY
    command -v "$1" >/dev/null 2>&1 && return 0
    if can_apt; then
        say "Installing $2 ($3) ..."
        [ -n "${updated:-}" ] || { apt_get update; updated=1; }
        apt_get install -y --no-install-recommends "$2" && command -v "$1" >/dev/null 2>&1 && return 0
    fi
    say "Not here: $1 ($3). Install the package $2 to run those tests; they are skipped now."
    return 1
}

.venv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check -e '.[harvest,mcp,reading]' ||
    say "The extras harvest, mcp and reading could not be installed; their tests are skipped."
need git git "repository tests"
need unshare util-linux "tests in a private mount namespace"
need chromium chromium "browser tests" || true
need bwrap bubblewrap "reading behind a login in a jail" || true
need Xvfb xvfb "the login window's tests" || true
need ip iproute2 "hostile pages in a network of their own" || true
if need npm npm "the real agent binaries"; then
    .venv/bin/python tests/console/install.py >/dev/null || say "axe-core could not be installed; its tests are skipped."
    (cd tests && ../.venv/bin/python -m hosts.install_browser >/dev/null) ||
        say "The browser's MCP server could not be installed; its tests are skipped."
    .venv/bin/python tests/hosts/install.py >/dev/null || say "The agent binaries could not be installed; their tests are skipped."
fi
exit 0
