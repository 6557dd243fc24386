# shellcheck shell=bash
# Sourced by ./run and ./test: one environment in .venv, made with uv where it is installed, otherwise with venv and pip.
# Everything here also works with bash 3.2 and the tools of macOS.

# prepare NAME REQUIREMENT... - installs the requirements (editable) unless that was done since pyproject.toml last changed.
prepare() {
    local name=$1 root stamp
    shift
    root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    stamp=$root/.venv/.ready-for-$name
    if [ "$stamp" -nt "$root/pyproject.toml" ] && [ "$stamp" -nt "$root/environment.sh" ]; then
        return
    fi
    printf 'preparing %s, once ...\n' "$root/.venv" >&2
    local editable=() requirement
    for requirement in "$@"; do
        editable+=(--editable "$requirement")
    done
    if ! install "$root" "${editable[@]}"; then
        [ "$name" = run ] || return 1
        printf 'trying without Numba and Matplotlib: large boards will take longer, and nothing draws charts\n' >&2
        install "$root" --editable "$root"
    fi
    touch "$stamp"
}

# install ROOT ARGUMENT... - makes ROOT/.venv if there is none, and installs into it.
install() {
    local root=$1
    shift
    if command -v uv >/dev/null 2>&1; then
        [ -x "$root/.venv/bin/python" ] || uv venv --quiet --python '>=3.11' "$root/.venv" || return 1
        uv pip install --quiet --python "$root/.venv/bin/python" "$@"
        return
    fi
    if [ ! -x "$root/.venv/bin/pip" ]; then
        local python
        python=$(find_python) || exit 2
        "$python" -m venv "$root/.venv" || return 1
    fi
    # Once is not quiet enough: pip would still print its warnings. Twice leaves the errors.
    "$root/.venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check "$@"
}

# Python 3.11 or newer that can make environments, whatever it is called here.
find_python() {
    local candidate
    for candidate in python3 python python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    printf 'gemhunter needs Python 3.11 or newer with its venv module (Debian: python3-venv); none was found on PATH\n' >&2
    exit 2
}

# The number of tests that run at the same time: one more than there are cores, as tests of the web page mostly wait.
test_workers() {
    echo $(($(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))
}

# The SAT solvers that the cmd: engine is tested with; tests that miss one are skipped and say so.
install_solvers() {
    local missing='' program
    for program in minisat cadical picosat; do
        command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
    done
    [ -n "$missing" ] || return 0
    if [ "$(uname -s)" = Linux ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
        # shellcheck disable=SC2086 # one word per solver
        { apt-get update -qq && apt-get install -qq --yes --no-install-recommends $missing; } >/dev/null 2>&1 ||
            printf 'could not install:%s; their tests will be skipped\n' "$missing" >&2
    else
        printf 'not installed:%s; their tests will be skipped\n' "$missing" >&2
    fi
}

# The browser that the page is tested with; without one, those tests are skipped and say so.
install_browser() {
    local program
    for program in chromium google-chrome chrome; do
        if command -v "$program" >/dev/null 2>&1; then
            return
        fi
    done
    if [ "$(uname -s)" = Linux ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
        { apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium; } >/dev/null 2>&1 ||
            printf 'could not install: chromium; the tests of the page in a browser will be skipped\n' >&2
    else
        printf 'not installed: chromium; the tests of the page in a browser will be skipped\n' >&2
    fi
}
