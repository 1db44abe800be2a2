"""A server on this machine that speaks OpenAI's protocol, and its errors."""

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import serve

KEY = "sk-secret-Zm9ybWFs-0123456789"


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
LONGEST = 20
# Answers that never end and are never silent: the first bytes, and those that follow again and again.
ENDLESS = {
    "endless continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "endless header": (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
    "endless size": (CHUNKED, b"0"),
    "endless trailer": (CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: y\r\n"),
}


def formal(prompt: str) -> str:
    """What the server says: the last informal sentence of a prompt, with a capital and a full stop."""
    asked = next(
        (line for line in reversed(prompt.splitlines()) if line.startswith("Informal: ")),
        f"Informal: {prompt}",
    )
    text = asked.removeprefix("Informal: ").strip()
    return f"{text[:1].upper()}{text[1:].rstrip(' .!?')}."


class Server:
    """`plan` says what it does with each request, later ones are answered; `seen` has all bodies."""

    def __init__(self) -> None:
        self.plan: list[str] = []
        self.always = ""
        # Answers of other servers, by their names in `plan`: status, headers and the body as it came.
        self.recorded: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.says = formal
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.times: list[float] = []
        self.gone = threading.Event()
        # Whether a client has read an endless answer for `LONGEST` seconds.
        self.outlasted = False
        self.delay = 0.0
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                outer.answer(self)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.http.server_port}/v1"
        serve(self.http)

    def close(self) -> None:
        self.gone.set()
        self.http.shutdown()
        self.http.server_close()

    @property
    def prompts(self) -> list[str]:
        """All prompts that have come."""
        return [
            body["messages"][0]["content"] if "messages" in body else body["prompt"] for body in self.seen
        ]

    def body(self, given: dict[str, Any]) -> dict[str, Any]:
        """An answer as the protocol has it."""
        chat = "messages" in given
        prompt = given["messages"][0]["content"] if chat else given["prompt"]
        text = self.says(prompt)
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
        choice |= {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
        if given.get("logprobs"):
            likeliest = [{"token": "Yes", "logprob": -0.5}, {"token": " yes", "logprob": -1.5}]
            likeliest.append({"token": "No", "logprob": -9999})
            if chat:
                choice["logprobs"] = {"content": [{**likeliest[0], "top_logprobs": likeliest}]}
            else:
                choice["logprobs"] = {"top_logprobs": [{one["token"]: one["logprob"] for one in likeliest}]}
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        return {"object": "chat.completion", "choices": [choice], "usage": usage}

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        given = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        with self.lock:
            self.seen.append(given)
            self.headers.append(dict(request.headers))
            self.paths.append(request.path)
            self.times.append(time.monotonic())
            deed = self.plan.pop(0) if self.plan else self.always
        self.gone.wait(self.delay)
        if deed in ENDLESS:
            self.drip(request, *ENDLESS[deed])
            return
        status, headers, content = self.made(deed, given)
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        length = len(content) + (100 if deed in ("truncated", "hang", "drip") else 0)
        request.send_header("Content-Length", str(length))
        # Said before it is done: else a client may send its next request into the closing.
        request.send_header("Connection", "close")
        request.end_headers()
        try:
            request.wfile.write(content)
            request.wfile.flush()
            if deed == "hang":
                self.gone.wait(LONGEST)
            while deed == "drip" and not self.gone.wait(0.05):
                request.wfile.write(b" ")
                request.wfile.flush()
        except OSError:
            pass
        request.close_connection = True

    def drip(self, request: BaseHTTPRequestHandler, first: bytes, again: bytes) -> None:
        """A beginning, and then the same bytes until the client has gone."""
        end = time.monotonic() + LONGEST
        with suppress(OSError):
            request.wfile.write(first)
            while not self.outlasted and not self.gone.wait(0.02):
                request.wfile.write(again)
                request.wfile.flush()
                self.outlasted = time.monotonic() > end
        request.close_connection = True

    def made(self, deed: str, given: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and bytes."""
        if deed in self.recorded:
            return self.recorded[deed]
        body = self.body(given)
        whole = json.dumps(body).encode()
        word, _, value = deed.partition(":")
        if word.isdigit():
            error = {"error": {"message": f"Incorrect: {KEY} is the key", "code": "unhappy"}}
            return int(word), {"Retry-After": value} if value else {}, json.dumps(error).encode()
        match word:
            case "long":
                words = "\x1b[2J" + "x" * 280 + " " + KEY
                return 400, {}, json.dumps({"error": {"message": words}}).encode()
            case "usage":
                return 200, {}, json.dumps({**body, "usage": {"prompt_tokens": 10**400}}).encode()
            case "logprob":
                first = [{"top_logprobs": [{"token": "a", "logprob": -(10**400)}]}]
                choice = {
                    "message": {"content": "a"},
                    "finish_reason": "stop",
                    "logprobs": {"content": first},
                }
                return 200, {}, json.dumps({**body, "choices": [choice]}).encode()
            case "quota":
                return 429, {}, b'{"error": {"message": "pay first", "code": "insufficient_quota"}}'
            case "truncated" | "hang" | "drip":
                return 200, {}, whole[:20]
            case "not-json":
                return 200, {}, whole[:-10]
            case "html":
                return 200, {}, b"<html>hello</html>"
            case "latin1":
                return 200, {}, '{"choices": "é"}'.encode("latin1")
            case "deep":
                return 200, {}, b"[" * 200_000
            case "empty":
                return 200, {}, json.dumps({**body, "choices": []}).encode()
            case "strange":
                return 200, {}, b'{"choices": [{"message": {"content": 7}}]}'
            case "huge":
                return 200, {}, b'{"choices": "' + b"x" * (5 << 20) + b'"}'
            case "redirect":
                return 307, {"Location": value}, b""
            case "refusal":
                message = {"content": None, "refusal": "I would rather not."}
                return (
                    200,
                    {},
                    json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode(),
                )
            case "null":
                choice = {"message": {"content": None}, "finish_reason": "content_filter"}
                return 200, {}, json.dumps({"choices": [choice]}).encode()
            case "surrogate":
                choice = {"message": {"content": "half \ud800"}, "finish_reason": "stop"}
                return 200, {}, json.dumps({"choices": [choice]}).encode()
        return 200, {}, whole
