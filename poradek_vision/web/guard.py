"""Who may ask: this computer's browser that was given the address, and no other page open in it.

- The Host header must name the loopback address: else a foreign name that points here could read the page.
- The token in the address works once; after it a cookie does, which no other site can send or read.
- What changes anything must come from the page itself (Origin), as JSON.
"""

from __future__ import annotations

import secrets

from flask import Request, Response, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from poradek_vision.model import Language
from poradek_vision.texts import say

_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)


class Guard:
    """Stands before every request.

    Parameters
    ----------
    language : {"cs", "en"}
        Of its refusals.

    Attributes
    ----------
    port : int
        Where the server listens; to be set before the first request.
    token : str
        For the address, once.
    """

    def __init__(self, language: Language) -> None:
        self.port = 0
        self.token = secrets.token_urlsafe(24)
        self._key = secrets.token_urlsafe(24)
        self._token_used = False
        self._language = language

    def check(self) -> AnyResponse | None:
        """Refuse the present request, let a token in, or let the request pass (None)."""
        if request.host not in self._hosts():
            return self._refuse("web.refused_host")
        if secrets.compare_digest(request.cookies.get(self._cookie(), "").encode(), self._key.encode()):
            return None if self._is_safe(request) else self._refuse("web.refused_origin")
        if request.method == "GET" and request.path == "/" and self._takes(request.args.get("token", "")):
            return self._let_in()
        return self._refuse("web.refused_token")

    def seal(self, response: Response) -> Response:
        """Forbid a response to load anything from elsewhere, or to be shown inside another page."""
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def _hosts(self) -> tuple[str, str]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _cookie(self) -> str:
        """Cookies don't know ports: each server has its own."""
        return f"poradek_{self.port}"

    def _is_safe(self, asked: Request) -> bool:
        """Whether a request changes nothing, or comes from the page itself."""
        if asked.method in ("GET", "HEAD"):
            return True
        return asked.is_json and asked.headers.get("Origin", "") == f"http://{asked.host}"

    def _takes(self, token: str) -> bool:
        """Whether it is the token, for the first time."""
        if self._token_used or not secrets.compare_digest(token.encode(), self.token.encode()):
            return False
        self._token_used = True
        return True

    def _let_in(self) -> AnyResponse:
        """To the page, with the cookie and without the token in the address."""
        response = redirect("/", 303)
        response.set_cookie(self._cookie(), self._key, httponly=True, samesite="Strict")
        return response

    def _refuse(self, key: str) -> Response:
        response = make_response(say(key, self._language), 403)
        response.mimetype = "text/plain"
        return response
