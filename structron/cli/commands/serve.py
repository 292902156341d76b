"""``structron serve``: models behind HTTP, and the playground."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from structron.cli.command_list import HELP, LongHelp
from structron.cli.terminal.counting import counted
from structron.cli.terminal.renamed_option import RenamedOption
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.serve.app import Service
    from structron.serve.guard import App

WHOLE = click.IntRange(min=1)
LOCAL_HOST = "127.0.0.1"


@click.command(
    cls=LongHelp,
    basic=("host", "port", "token", "threads", "playground", "opens", "classroom"),
    short_help=HELP["serve"],
)
@click.argument("models", metavar="[NAME=]MODEL...", nargs=-1)
@click.option("--host", default=LOCAL_HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 picks a free one.",
)
@click.option(
    "--token",
    envvar="STRUCTRON_TOKEN",
    metavar="TEXT",
    help="Answer only requests with this bearer token; better in the variable STRUCTRON_TOKEN, which "
    "others do not see.",
)
@click.option(
    "--threads", type=WHOLE, default=1, show_default=True, help="Number of batches decoded at a time."
)
@click.option(
    "--queue",
    type=WHOLE,
    default=4000,
    show_default=True,
    help="Inputs that may wait; any more are answered with 503.",
)
@click.option(
    "--batch-wait",
    cls=RenamedOption,
    old_name="--gather",
    type=click.FloatRange(0, 1000),
    default=2,
    show_default=True,
    metavar="MS",
    help="Milliseconds to wait for more requests before a batch is decoded.",
)
@click.option(
    "--body",
    type=WHOLE,
    default=1 << 20,
    show_default=True,
    help="Maximum number of bytes of a request, or of a line.",
)
@click.option(
    "--inputs", type=WHOLE, default=1000, show_default=True, help="Maximum number of inputs in a request."
)
@click.option(
    "--longest", type=WHOLE, default=256, show_default=True, help="Maximum number of words in a sentence."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=30,
    show_default=True,
    help="Seconds a client may take to send a request, and to wait for the answer.",
)
@click.option("--cors", multiple=True, metavar="ORIGIN", help="Allow CORS requests from this origin.")
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A further name of this server, behind a proxy."
)
@click.option("--playground", is_flag=True, help="Also serve the playground.")
@click.option("--open", "opens", is_flag=True, help="Also serve the playground, and open it in a browser.")
@click.option(
    "--classroom",
    is_flag=True,
    help="Also serve the playground to other machines of the network, and print its address for a class.",
)
def serve(models: tuple[str, ...], opens: bool, playground: bool, classroom: bool, **given: Any) -> None:
    """Serve MODELs over HTTP; a model has the name of its file, or the one that is given as NAME=FILE.

    POST /predict predicts, and the page /docs lists all routes. TERM and Ctrl-C stop the server once the
    requests under way are answered; HUP reloads all models. Without a MODEL the playground trains small ones
    on synthetic data.

    \b
    structron serve pos.model
    structron serve en=ud-english.model de=ud-german.model --threads 2
    structron serve --open
    structron serve --classroom
    curl localhost:8000/predict -H 'Content-Type: application/json' \\
      -d '{"input": "Time flies ."}'
    """
    for needed in ("fastapi", "uvicorn", "httptools"):
        if find_spec(needed) is None:
            raise SettingError(f"serve needs {needed}; install it with: pip install 'structron[serve]'")
    playground = playground or opens or classroom
    if (
        playground
    ):  # the margins of trainings are small systems, on which threads of BLAS only wait for each other
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if classroom and given["host"] == LOCAL_HOST:
        given["host"] = "0.0.0.0"
    if not models and not playground:
        raise click.UsageError("give a MODEL, or --playground for small ones made on the spot")
    from structron.serve.process import addresses, bound, run, url_of

    listening = bound(given["host"], given["port"])
    service = _service(models, given)
    app = _app(service, given, playground)
    url = url_of(listening)

    def ready() -> None:
        for model in service.registry.models.values():
            click.echo(f"{model.name}: {model.kind}", err=True)
        if classroom:
            for place in addresses(listening.getsockname()[1]):
                click.echo(f"for the class: {_with_token(place, given['token'])}", err=True)
        click.echo(f"serving {counted(len(service.registry.models), 'models')} on {url}", err=True)
        if given["token"] is None and (classroom or not url.startswith(("http://127.", "http://[::1]"))):
            click.echo("warning: whoever can reach this address may ask; set --token", err=True)
        if opens:
            _open(url, given["token"])

    run(app, service, listening, ready)


def _open(url: str, token: str | None) -> None:
    """Open the playground in a browser, in a thread: a browser in the terminal would block the server."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(_with_token(url, token),), daemon=True).start()


def _with_token(url: str, token: str | None) -> str:
    """Return a link to the playground, with the token after #, where no server and no proxy sees it."""
    from urllib.parse import quote

    return f"{url}/" + (f"#token={quote(token)}" if token else "")


def _service(models: tuple[str, ...], given: dict[str, Any]) -> Service:
    from structron.engine.processors import useful_threads
    from structron.io.model_file.shipped_models import shipped
    from structron.serve.app import Service
    from structron.serve.batching import Batcher
    from structron.serve.limits import Limits
    from structron.serve.metrics import Metrics
    from structron.serve.registry import ModelRegistry

    names = ("queue", "body", "inputs", "longest", "seconds")
    limits, metrics = Limits(**{name: given[name] for name in names}), Metrics()
    registry = ModelRegistry.of(models or shipped())
    if not models:
        from structron.serve.play.small_models import small_models

        click.echo("making small models of synthetic data", err=True)
        for name, estimator in small_models():
            registry.add(name, estimator)
    batcher = Batcher(limits, metrics, useful_threads(given["threads"]), given["batch_wait"] / 1000)
    return Service(
        registry,
        limits,
        metrics,
        batcher,
        lambda text: click.echo(text, err=True),
        given["token"] is not None,
    )


def _app(service: Service, given: dict[str, Any], playground: bool) -> App:
    """Return the application with everything that stands before the routes."""
    from structron.serve.app import make_app
    from structron.serve.guard import Guard
    from structron.serve.process import names_of

    app: Any = make_app(service)
    if playground:
        from structron.serve.play.routes import add_playground

        add_playground(app, service)
    hosts = names_of(given["host"], given["allow_host"])
    app = Guard(app, service.limits, service.metrics, given["token"], hosts, service.batcher.check_room)
    if given["cors"]:
        from starlette.middleware.cors import CORSMiddleware

        # Before the guard: a browser asks whether it may without the token.
        app = CORSMiddleware(
            app,
            allow_origins=given["cors"],
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
            expose_headers=["retry-after"],
        )
    return app  # type: ignore[no-any-return]
