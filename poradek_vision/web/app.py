"""The pages and their addresses. Photos are named by their content, so no name of a file is ever part of one."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Response, abort, jsonify, render_template, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from poradek_vision.errors import PoradekError
from poradek_vision.pipeline import Review
from poradek_vision.texts import say, say_text
from poradek_vision.web.album import Album, thumb
from poradek_vision.web.boards import board_sight, typed_sight
from poradek_vision.web.desk import Desk
from poradek_vision.web.guard import Guard
from poradek_vision.web.overview import overview, top
from poradek_vision.web.words import Sight, ink

_log = logging.getLogger(__name__)

LARGEST_ACT = 64 * 1024
"""Bytes of a request."""


def make_app(desk: Desk, guard: Guard) -> Flask:
    """The review page as a WSGI application.

    Parameters
    ----------
    desk : Desk
    guard : Guard
        Its port is to be set before the first request.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_ACT
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.before_request(guard.check)
    app.after_request(guard.seal)
    album = Album()
    _add_pages(app, desk, album)
    _add_pictures(app, desk, album)
    return app


def _add_pages(app: Flask, desk: Desk, album: Album) -> None:
    """What is shown, and what is said."""

    @app.get("/")
    def first() -> str:
        return _page(desk, "overview.html", overview)

    @app.get("/board/<sha256>/<int:index>")
    def board(sha256: str, index: int) -> str:
        def see(review: Review) -> Sight:
            sight = board_sight(review, sha256, index, album.size(review, sha256))
            return {**sight, "shown": album.has(review, sha256)}

        return _page(desk, "board.html", see)

    @app.get("/typed")
    def typed() -> str:
        team, size = request.args.get("team", ""), request.args.get("size", 0, int)
        return _page(desk, "typed.html", lambda review: typed_sight(review, team, size))

    @app.errorhandler(404)
    def not_there(error: NotFound) -> AnyResponse | tuple[str, int]:
        return error.get_response() if request.path.endswith(".jpg") else (_page(desk, "not_there.html", top), 404)

    @app.get("/version")
    def version() -> Response:
        desk.tidy()  # a page asks this once a second, when it has nothing else to ask
        return jsonify(version=desk.look()[1])

    @app.post("/act")
    def act() -> AnyResponse:
        return _act(desk)

    @app.get("/swatches.css")
    def swatches() -> Response:
        review, _, _ = desk.look()
        return Response(render_template("swatches.css", colours=review.game.colours, ink=ink), mimetype="text/css")


def _add_pictures(app: Flask, desk: Desk, album: Album) -> None:
    """Photos, boards laid flat, cells, and small debug pictures."""

    @app.get("/photo/<sha256>.jpg")
    def photo(sha256: str) -> Response:
        return _picture(desk, lambda review: album.photo(review, sha256).jpeg)

    @app.get("/flat/<sha256>/<int:index>.jpg")
    def flat(sha256: str, index: int) -> Response:
        return _picture(desk, lambda review: album.board(review, sha256, index))

    @app.get("/cell/<sha256>/<int:index>/<int:row>-<int:col>.jpg")
    def cell(sha256: str, index: int, row: int, col: int) -> Response:
        return _picture(desk, lambda review: album.cell(review, sha256, index, row, col))

    @app.get("/thumb/<sha256>/<int:index>.jpg")
    def small(sha256: str, index: int) -> Response:
        return _picture(desk, lambda review: thumb(review, sha256, index))


def _page(desk: Desk, template: str, see: Callable[[Review], Sight]) -> str:
    """A page about the review as it is by now."""
    review, version, trouble = desk.look()
    language = review.game.language

    def say_here(key: str, **fields: object) -> str:
        return say(key, language, **fields)

    try:
        seen = see(review)
    except (LookupError, PoradekError) as error:
        _log.info("%s", error)
        abort(404)
    told = say_text(trouble, language) if trouble else ""
    return render_template(
        template, say=say_here, game=review.game, language=language, version=version, trouble=told, **seen
    )


def _act(desk: Desk) -> AnyResponse:
    """Do what the page asks for, and say what was done."""
    try:
        asked = request.get_json()
    except RecursionError:  # brackets within brackets
        abort(400)
    if not isinstance(asked, dict):
        abort(400)
    try:
        told, done = desk.do(str(asked.get("tab", "")), asked), True
    except PoradekError as error:
        told, done = error.text, False
    except ValueError as error:
        _log.warning("%s", error)
        abort(400)
    review, version, _ = desk.look()
    answer = jsonify(version=version, done=done, told=say_text(told, review.game.language))
    answer.status_code = 200 if done else 409
    return answer


def _picture(desk: Desk, make: Callable[[Review], bytes]) -> Response:
    """A picture; its address changes when it does, so that a browser may keep it."""
    review, _, _ = desk.look()
    try:
        jpeg = make(review)
    except (LookupError, PoradekError) as error:
        _log.info("%s", error)
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})
