"""The server of the review page: on the loopback address alone, at a port that nobody else has."""

from __future__ import annotations

import logging

from waitress.server import create_server

from poradek_vision.pipeline import Review
from poradek_vision.web.app import LARGEST_ACT, make_app
from poradek_vision.web.desk import Desk
from poradek_vision.web.guard import Guard

HOST = "127.0.0.1"


class Server:
    """Serves one batch under review until it is interrupted.

    Parameters
    ----------
    review : Review

    Attributes
    ----------
    address : str
        Where a browser finds the page; it opens once.
    """

    def __init__(self, review: Review) -> None:
        guard = Guard(review.game.language)
        app = make_app(Desk(review), guard)
        self._server = create_server(app, host=HOST, port=0, threads=8, ident=None, max_request_body_size=LARGEST_ACT)
        logging.getLogger("waitress.queue").setLevel(
            logging.ERROR
        )  # its "Task queue depth" is a page's pictures coming
        guard.port = int(self._server.effective_port)
        self.address = f"http://{HOST}:{guard.port}/?token={guard.token}"

    def run(self) -> None:
        """Answer until Ctrl+C."""
        self._server.run()
