"""The local review page: shows what is open and hands down what a person says. No arithmetic.

``desk`` holds the batch under review while the server runs, the one place with a state; ``acts`` turns what a page
sends into corrections; ``album`` has the pictures, ``overview`` and ``boards`` what the pages show; ``guard`` decides
who may ask.
"""

from poradek_vision.web.server import Server

__all__ = ["Server"]
