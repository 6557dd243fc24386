"""`gemhunter web`: the page in the browser."""

import os
import re
import secrets
import socket
from contextlib import ExitStack
from dataclasses import dataclass

import click

from gemhunter.cli.exit_codes import SOLVED
from gemhunter.cli.notes import is_quiet, note, quiet_option
from gemhunter.cli.options import AT_LEAST_ONE, cores, options_as, read_size, seconds_option
from gemhunter.errors import InputError
from gemhunter.web.guards import LOOPBACK_HOSTS, Doorkeeper
from gemhunter.web.serve import listen_on, open_browser, require_server, serve
from gemhunter.web.tasks.boards import WebLimits
from gemhunter.work.timed_child import ignore_line

TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - it is only compared
LARGEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The options of `gemhunter web`."""

    port: int | None
    host: str
    browser: bool
    token: str | None
    allowed_hosts: tuple[str, ...]
    workers: int | None
    time_limit: float
    memory_limit: int | None
    most_cells: int
    warmup: bool


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, LARGEST_PORT),
    metavar="N",
    help="The port [default: the first free one from 8421 on]; 0 for any.",
)
@click.option(
    "--host",
    default=LOOPBACK,
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on; 0.0.0.0 lets other machines in, with a token.",
)
@click.option("--browser/--no-browser", default=True, help="Open the page in a browser (the default) or not.")
@click.option(
    "--token",
    metavar="TEXT",
    help="What every request must have [default: none on 127.0.0.1, random elsewhere].",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="A name that a proxy calls this server by; may be given several times.",
)
@click.option(
    "--workers",
    type=AT_LEAST_ONE,
    metavar="N",
    help="Processes that answer [default: all cores and two more].",
)
@seconds_option("The most that a question may take.", default=10.0)
@click.option(
    "--memory-limit",
    callback=read_size,
    default="4GiB",
    show_default=True,
    metavar="SIZE",
    help="The most memory that a question may take, on Linux.",
)
@click.option(
    "--most-cells",
    type=AT_LEAST_ONE,
    default=250_000,
    show_default=True,
    metavar="N",
    help="Cells of the largest board.",
)
@click.option(
    "--warmup/--no-warmup",
    default=True,
    help="Compile engines and agents in the background, once per machine (the default), or not.",
)
@quiet_option
@options_as(WebOptions)
def web(options: WebOptions) -> int:
    """Open a page to analyse, understand, play, compare and make boards.

    The page is served by this machine, for this machine, until Ctrl-C; nothing is loaded from elsewhere. With
    another --host, the link that is printed has a token, which every request needs.

    \b
    Examples:
      gemhunter web
      gemhunter web --port 8080 --no-browser
      gemhunter web --host 0.0.0.0
      gemhunter web --allow-host "$NAME" --token "$TOKEN" --no-browser
    """
    require_server()
    os.environ.pop("GEMHUNTER_INSTALLER", None)  # no request may install anything
    from gemhunter.web.app import WebSettings, new_application, new_pool
    from gemhunter.web.serve import compiling_in_background

    if options.token is not None and not TOKEN.fullmatch(options.token):
        raise InputError("a token has letters, digits, `-`, `.`, `_` and `~` only, so that it fits in a link")
    token = options.token or (None if _is_loopback(options.host) else secrets.token_urlsafe(24))
    door = Doorkeeper((*LOOPBACK_HOSTS, *options.allowed_hosts), token)
    limits = WebLimits(options.time_limit, options.most_cells)
    workers = options.workers or cores() + 2
    settings = WebSettings(door, limits, workers, options.memory_limit)
    pool = new_pool(settings)
    listener = listen_on(options.host, options.port)
    address = _address(options.host, listener, token)

    quiet = is_quiet()  # asked here, as `say_where` is called by another thread

    def say_where() -> None:
        for each in (address, *_other_addresses(options.host, address)):
            click.echo(f"Gem Hunter is at {each}")
        if not quiet:
            note("Ctrl-C ends it")
        if options.browser:
            open_browser(address)

    application = new_application(settings, pool)
    with ExitStack() as stack:

        def when_ready() -> None:
            say_where()
            if options.warmup:
                stack.enter_context(compiling_in_background(ignore_line if quiet else note))

        serve(application, listener, when_ready=when_ready, when_leaving=pool.cancel_all)
    return SOLVED


def _is_loopback(host: str) -> bool:
    return host in LOOPBACK_HOSTS or host.startswith("127.")


def _other_addresses(host: str, address: str) -> list[str]:
    """The links by number, for machines that do not know the name of this one."""
    if host != EVERYWHERE:
        return []
    name = socket.gethostname()
    try:
        found = socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    numbers = dict.fromkeys(str(each[4][0]) for each in found)
    return [
        address.replace(f"//{name}:", f"//{number}:", 1) for number in numbers if not _is_loopback(number)
    ]


def _address(host: str, listener: socket.socket, token: str | None) -> str:
    """The link to the page; for a server that listens everywhere, by the name of this machine."""
    name = socket.gethostname() if host in (EVERYWHERE, "::") else host
    shown = f"[{name}]" if ":" in name else name
    query = "" if token is None else f"?token={token}"
    return f"http://{shown}:{listener.getsockname()[1]}/{query}"
