"""A server with the addresses of the Hugging Face hub, for repositories that are folders here."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.serving import serve


def digest(content: bytes) -> str:
    """The name of a file's content."""
    return hashlib.sha1(content).hexdigest()


def named(settings: object) -> Iterator[tuple[str, str]]:
    """The checkpoints of the hub that settings name, with their commits."""
    if isinstance(settings, dict):
        if settings.get("revision"):
            yield settings.get("checkpoint") or settings["name"], settings["revision"]
        for value in settings.values():
            yield from named(value)


@contextmanager
def hub(repositories: dict[tuple[str, str], Path]) -> Iterator[tuple[str, list[str]]]:
    """Serve folders as repositories, by name and commit; the server's address, and the paths asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

        def do_HEAD(self) -> None:
            self.answer(with_content=False)

        def do_GET(self) -> None:
            self.answer(with_content=True)

        def answer(self, *, with_content: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            asked.append(path)
            for (name, commit), folder in repositories.items():
                if path == f"/api/models/{name}/tree/{commit}":
                    files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
                    told = [
                        {
                            "type": "file",
                            "path": one.relative_to(folder).as_posix(),
                            "size": one.stat().st_size,
                            "oid": digest(one.read_bytes()),
                        }
                        for one in files
                    ]
                    return self.send(200, json.dumps(told).encode(), commit, with_content)
                inside = f"/{name}/resolve/{commit}/"
                if path.startswith(inside) and (file := folder / path.removeprefix(inside)).is_file():
                    return self.send(200, file.read_bytes(), commit, with_content)
            return self.send(404, b"{}", "", with_content)

        def send(self, status: int, content: bytes, commit: str, with_content: bool) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("X-Repo-Commit", commit)
            self.send_header("ETag", f'"{digest(content)}"')
            self.end_headers()
            if with_content:
                self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serve(server)
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
