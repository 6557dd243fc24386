"""`gemhunter web`: the page in the browser."""

import os
import re
import secrets
import socket
from contextlib import ExitStack

import click

from gemhunter.cli.declare import command, flag, number, option
from gemhunter.cli.exit_codes import SOLVED, is_quiet, note
from gemhunter.cli.options import cores, read_size, seconds_option
from gemhunter.errors import InputError
from gemhunter.web.server.guards import LOOPBACK_HOSTS, AccessPolicy, WebLimits
from gemhunter.web.server.serve import listen_on, open_browser, require_server, serve
from gemhunter.work.timed_child import ignore_line

EVERYWHERE = "0.0.0.0"  # noqa: S104 - it is only compared


@command()
def web(
    *,
    port: int | None = option(
        "--port N",
        "The port [default: the first free one from 8421 on]; 0 for any.",
        type=click.IntRange(0, 65_535),
    ),
    host: str = option(
        "--host ADDRESS",
        "The address to listen on; 0.0.0.0 lets other machines in, with a token.",
        default="127.0.0.1",
    ),
    token: str | None = option(
        "--token TEXT", "The token of every request [default: none on 127.0.0.1, random elsewhere]."
    ),
    no_browser: bool = flag("--no-browser", "Print the address only; open no browser."),
    allowed_hosts: tuple[str, ...] = option(
        "--allow-host NAME",
        "A host name that a proxy uses for this server; can be repeated.",
        rare=True,
        multiple=True,
    ),
    workers: int | None = number(
        "--workers", "Worker processes [default: two more than there are cores].", rare=True
    ),
    time_limit: float = seconds_option("The longest that a question may take.", default=10, rare=True),
    memory_limit: int | None = option(
        "--memory-limit SIZE",
        "The most memory that a question may take, on Linux.",
        rare=True,
        callback=read_size,
        default="4GiB",
    ),
    no_warmup: bool = flag(
        "--no-warmup",
        "Do not compile engines and agents in the background, which is done once per machine.",
        rare=True,
    ),
) -> int:
    """Open a page to analyse, understand, play, compare and make boards.

    \b
    Examples:
      gemhunter web
      gemhunter web --port 8080 --no-browser
      gemhunter web --host 0.0.0.0
      gemhunter web --allow-host "$NAME" --token "$TOKEN" --no-browser

    This machine serves the page to itself until Ctrl-C; nothing is loaded from elsewhere. With another
    --host, the link that is printed has a token, which every request needs.
    """
    require_server()
    os.environ.pop("GEMHUNTER_INSTALLER", None)  # no request may install anything
    from gemhunter.web.server.app import WebSettings, new_application, new_pool
    from gemhunter.web.server.serve import compiling_in_background

    if token is None and not _is_loopback(host):
        token = secrets.token_urlsafe(24)
    if token is not None and not re.fullmatch(r"[A-Za-z0-9._~-]+", token):
        raise InputError("a token has letters, digits, `-`, `.`, `_` and `~` only, so that it fits in a link")
    access = AccessPolicy((*LOOPBACK_HOSTS, *allowed_hosts), token)
    settings = WebSettings(access, WebLimits(time_limit), workers or cores() + 2, memory_limit)
    pool = new_pool(settings)
    listener = listen_on(host, port)
    application = new_application(settings, pool)
    # Another thread calls `when_ready`, and there is no running command there.
    say = ignore_line if is_quiet() else note

    with ExitStack() as stack:

        def when_ready() -> None:
            addresses = _addresses(host, listener.getsockname()[1], token)
            for address in addresses:
                click.echo(f"Gem Hunter is at {address}")
            say("Ctrl-C ends it")
            if not no_browser:
                open_browser(addresses[0])
            if not no_warmup:
                stack.enter_context(compiling_in_background(say))

        serve(application, listener, when_ready=when_ready, when_leaving=pool.cancel_all)
    return SOLVED


def _is_loopback(host: str) -> bool:
    return host in LOOPBACK_HOSTS or host.startswith("127.")


def _addresses(host: str, port: int, token: str | None) -> list[str]:
    """The links to the page.

    For a server that listens everywhere, they have the name of this machine and, for machines that do not
    know this name, its numeric addresses.
    """
    names = [socket.gethostname() if host in (EVERYWHERE, "::") else host]
    if host == EVERYWHERE:
        try:
            found = socket.getaddrinfo(names[0], None, socket.AF_INET, socket.SOCK_STREAM)
        except OSError:
            found = []
        numbers = dict.fromkeys(str(each[4][0]) for each in found)
        names += [number for number in numbers if not _is_loopback(number)]
    query = "" if token is None else f"?token={token}"
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}/{query}" for name in names]
