"""The door: how a browser becomes one in which a person decides.

Invariant: without a pairing nothing of the state is shown; the token of a pairing lies only in the browser's
cookie, which no script can read and no other site can make the browser send.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ringwall.console import forms, render
from ringwall.console.console import Console
from ringwall.console.page import View
from ringwall.console.pairing import SECONDS, Kind
from ringwall.model.errors import UsageError

PATH = "/pair"
COOKIE = "ringwall"
_LONGEST_LABEL = 60


def browser(console: Console, request: Request) -> str:
    """By what the pairing of this request's browser is known, or nothing where it has none."""
    place = console.pairing.known_browser(request.cookies.get(COOKIE, ""))
    return place.digest if place is not None else ""


def closed(console: Console, request: Request) -> Response:
    """What an unpaired browser gets, whatever it asks for."""
    view = View("pair.html", {"error": None, "wanted": request.url.path}, 401)
    return HTMLResponse(render.outside(console, view), view.status)


def answer(console: Console, request: Request, body: bytes) -> Response:
    """Show where the code goes, or take it."""
    if request.method == "GET":
        return RedirectResponse("/", 303) if browser(console, request) else closed(console, request)
    try:
        token = console.pairing.browser(forms.read(body).get("code", ""), _label(request))
    except UsageError as error:
        view = View("pair.html", {"error": error, "wanted": "/"}, 403)
        return HTMLResponse(render.outside(console, view), view.status)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        COOKIE, token, max_age=SECONDS[Kind.BROWSER], path="/", httponly=True, samesite="strict"
    )
    return response


def _label(request: Request) -> str:
    """The browser as a person knows it."""
    agent = request.headers.get("user-agent", "")
    name = next((word for word in ("Firefox", "Edg", "Chrome", "Safari") if word in agent), "browser")
    system = next((word for word in ("Linux", "Macintosh", "Android", "iPhone") if word in agent), "")
    return f"{'Edge' if name == 'Edg' else name} {system}".strip()[:_LONGEST_LABEL]
