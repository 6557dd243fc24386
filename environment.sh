# Sourced by ./run and ./test: one environment in .venv, made with uv where it is installed, otherwise with venv and pip.

# prepare NAME REQUIREMENT... - installs the requirements (editable) unless that was done since pyproject.toml last changed.
prepare() {
    local name=$1 root stamp
    shift
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    stamp=$root/.venv/.ready-for-$name
    if [ "$stamp" -nt "$root/pyproject.toml" ] && [ "$stamp" -nt "$root/environment.sh" ]; then
        return
    fi
    printf 'preparing %s, once ...\n' "$root/.venv" >&2
    local editable=()
    for requirement in "$@"; do
        editable+=(--editable "$requirement")
    done
    if command -v uv >/dev/null 2>&1; then
        [ -x "$root/.venv/bin/python" ] || uv venv --quiet --python '>=3.11' "$root/.venv"
        uv pip install --quiet --python "$root/.venv/bin/python" "${editable[@]}"
    else
        if [ ! -x "$root/.venv/bin/pip" ]; then
            local python
            python=$(find_python) || exit 2
            "$python" -m venv "$root/.venv"
        fi
        "$root/.venv/bin/pip" install --quiet --disable-pip-version-check "${editable[@]}"
    fi
    touch "$stamp"
}

# Python 3.11 or newer, whatever it is called here.
find_python() {
    local candidate
    for candidate in python3 python python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    printf 'gemhunter needs Python 3.11 or newer with its venv module; none was found on PATH\n' >&2
    exit 2
}

# The SAT solvers that the cmd: engine is tested with; tests that miss one are skipped and say so.
install_solvers() {
    local missing=() program
    for program in minisat cadical picosat; do
        command -v "$program" >/dev/null 2>&1 || missing+=("$program")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
        { apt-get update -qq && apt-get install -qq --yes --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
            printf 'could not install %s; their tests will be skipped\n' "${missing[*]}" >&2
    else
        printf 'not installed: %s; their tests will be skipped\n' "${missing[*]}" >&2
    fi
}
