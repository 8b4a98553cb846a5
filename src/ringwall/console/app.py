"""Requests in, answers out.

Invariant: a browser that is not paired sees the door and nothing else; an act is done only with a nonce of
this browser for its very path, used up before it begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ringwall.console import door, forms, render
from ringwall.console.console import Console
from ringwall.console.forms import Fields
from ringwall.console.guard import Guard
from ringwall.console.live import Live
from ringwall.console.page import Act, Go, Page, Show, View, Visit
from ringwall.console.registry import pages
from ringwall.model.errors import RingwallError, StateError, UsageError
from ringwall.model.text import Text, msg

Answer = TypeVar("Answer")

_STATUS = {
    "approvals.no_such": 404,
    "journal.no_such_event": 404,
    "console.no_page": 404,
    "approvals.settled": 409,
    "approvals.stale": 409,
    "console.stale": 409,
}


def app(console: Console) -> ASGIApp:
    """The whole console as an ASGI application."""
    turn = CapacityLimiter(1)  # one connection to the database, one request at a time
    live = Live(console)

    async def answered(work: Callable[[], Response]) -> Response:
        try:
            return await to_thread.run_sync(work, limiter=turn)
        except StateError as fault:
            return PlainTextResponse(f"{console.show(fault.what)}\n{console.show(fault.repair)}\n", 500)

    def showing(page: Page, show: Show) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            return await answered(lambda: _shown(console, page, show, request))

        return endpoint

    def acting(page: Page, act: Act) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return await answered(lambda: _done(console, page, act, request, body))

        return endpoint

    async def pair(request: Request) -> Response:
        body = await request.body()
        return await answered(lambda: door.answer(console, request, body))

    async def events(request: Request) -> Response:
        known = await to_thread.run_sync(lambda: door.browser(console, request), limiter=turn)
        return live.stream() if known else Response(status_code=403)

    async def nowhere(request: Request, _fault: Exception) -> Response:
        return await answered(lambda: _shown(console, None, _no_page, request))

    routes: list[BaseRoute] = [
        Mount("/static", StaticFiles(directory=render.FOLDER / "static")),
        Route(door.PATH, pair, methods=["GET", "POST"]),
        Route("/events", events, methods=["GET"]),
    ]
    for page in pages():
        routes += [Route(path, showing(page, show), methods=["GET"]) for path, show in page.shows.items()]
        routes += [Route(path, acting(page, act), methods=["POST"]) for path, act in page.acts.items()]
    return Guard(
        Starlette(routes=routes, exception_handlers={404: nowhere}, lifespan=live.lifespan), console.port
    )


def _shown(console: Console, page: Page | None, show: Show, request: Request) -> Response:
    browser = door.browser(console, request)
    if not browser:
        return door.closed(console, request)
    try:
        query = forms.read(request.scope["query_string"])
        view = show(_visit(console, browser, request, query, Fields()))
    except RingwallError as error:
        view = _error(error, msg("This cannot be shown"))
    return HTMLResponse(render.page(console, browser, page, view), view.status)


def _done(console: Console, page: Page, act: Act, request: Request, body: bytes) -> Response:
    browser = door.browser(console, request)
    if not browser:
        return door.closed(console, request)
    try:
        form = forms.read(body)
        if render.ENTER in form:
            raise UsageError(
                "console.enter", msg("Enter decides nothing here."), msg("Go back and press what you mean.")
            )
        console.nonces.redeem(browser, request.url.path, form.get(render.NONCE, ""))
        answer = act(_visit(console, browser, request, Fields(), form))
    except RingwallError as error:
        answer = _error(error, msg("Nothing was done"))
    if isinstance(answer, Go):
        if answer.told is not None:
            console.tell(browser, answer.told)
        return RedirectResponse(answer.path, 303)
    return HTMLResponse(render.page(console, browser, page, answer), answer.status)


def _visit(console: Console, browser: str, request: Request, query: Fields, form: Fields) -> Visit:
    path = {name: str(value) for name, value in request.path_params.items()}
    return Visit(console, browser, path, query, form)


def _error(error: RingwallError, title: Text) -> View:
    usual = 400 if isinstance(error, UsageError) else 500
    return View("error.html", {"error": error, "title": title}, _STATUS.get(error.code, usual))


def _no_page(_visit: Visit) -> View:
    raise UsageError("console.no_page", msg("There is no such page."), msg("Choose one from the menu above."))
