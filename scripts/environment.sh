#!/bin/sh
# Makes the virtual environment $1 with Ringwall and its development tools in it.
set -u
venv=${1:?which folder}

say() { printf '%s\n' "$*" >&2; }

suitable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

python=
for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python; do
    if command -v "$name" >/dev/null 2>&1 && suitable "$name"; then python=$name; break; fi
done
if [ -z "$python" ]; then
    found="no python3"
    if command -v python3 >/dev/null 2>&1; then found=$(python3 --version 2>&1); fi
    say "Ringwall needs Python 3.11 or newer; found: $found."
    say "Install it (Debian: apt install python3 python3-venv; macOS: brew install python) or name one: make PYTHON=/path/to/python3.12 demo"
    exit 2
fi

if [ ! -w . ]; then
    say "This folder cannot be written to, and everything is installed into it. Copy the checkout to a folder of yours."
    exit 2
fi

if [ ! -x "$venv/bin/python" ] || ! suitable "$venv/bin/python"; then
    rm -rf "$venv"
    if ! problem=$("$python" -m venv "$venv" 2>&1); then
        say "$problem"
        say "Python's venv module does not work here. Debian: apt install python3-venv"
        rm -rf "$venv"
        exit 2
    fi
fi

command -v cc >/dev/null 2>&1 || say "No C compiler: the hook client is installed in Python (about 10 ms slower per call)."
say "Installing Ringwall and its tools into $venv (about 230 MB; a minute or two) ..."
if ! "$venv/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check -e '.[dev]'; then
    say "The installation failed; see above. Without a network, give pip a mirror: PIP_INDEX_URL=... make demo"
    exit 2
fi
