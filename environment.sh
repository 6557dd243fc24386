# shellcheck shell=bash
# Sourced by ./run and ./test. Everything here also works with bash 3.2 and the tools of macOS.

# prepare GOAL - makes .venv ready for `run` or `test`, unless that was done with this pyproject.toml.
prepare() {
    local root python
    root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    if [ -x "$root/.venv/bin/python" ] && cmp -s "$root/pyproject.toml" "$root/.venv/.ready-for-$1"; then
        return
    fi
    for python in python3 python python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$python" "$root/install.py" "$1" || exit
            return
        fi
    done
    if command -v uv >/dev/null 2>&1; then
        uv run --quiet --no-project --python '>=3.11' "$root/install.py" "$1" || exit
        return
    fi
    printf 'gemhunter needs Python 3.11 or newer with its venv module (Debian: python3-venv); none was found on PATH\n' >&2
    exit 2
}
