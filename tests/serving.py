"""Servers of tests."""

from functools import partial
from http.server import ThreadingHTTPServer
from threading import Thread


def serve(server: ThreadingHTTPServer) -> None:
    """Let a server answer until its `shutdown`, for which it looks more often than twice a second."""
    Thread(target=partial(server.serve_forever, poll_interval=0.01), daemon=True).start()
