"""A language model behind an address: OpenAI's protocol over https."""

import os
import re
import socket
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Lock, Thread, local
from typing import Any
from weakref import WeakSet

import requests
from requests.adapters import HTTPAdapter

from workflow_scripts.config.prompted import Model, Price, Prompting, check_address
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.system_errors import reason_of
from workflow_scripts.prompting.answers import Answer, Parameters, read_answer, read_body

# Status codes after which another attempt may work.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# The longest wait, in seconds, that a server may ask for; if it asks for more, the run ends.
LONGEST_WAIT = 900.0
# The largest size of an answer in bytes; a text of 100,000 tokens is smaller.
LARGEST = 4 << 20
CONNECT = 30.0
# What servers say while they read their model, which takes minutes, and of a model that they do not have.
LOADING = re.compile(r"\bloading\b.*\bmodel\b|\bmodel\b.*\bloading\b", re.IGNORECASE)
NO_MODEL = re.compile(r"\bmodel\b.*(not found|not exist|unknown|no such)|model_not_found", re.IGNORECASE)
# Seconds between two searches for connections of a request whose time is up.
AGAIN = 0.1


class _Again(Exception):
    """A failed attempt that may be repeated.

    `pause`: seconds that the server asks to wait; `loading`: it still reads its model.
    """

    def __init__(self, problem: str, pause: float | None = None, *, loading: bool = False) -> None:
        super().__init__(problem)
        self.pause, self.loading = pause, loading


class _Key(requests.auth.AuthBase):
    """Puts the key into a request, in place of an entry of .netrc, and shows it nowhere."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class _Reachable(HTTPAdapter):
    """Connections that another thread can end: the library limits a silence, but not a whole request."""

    def __init__(self) -> None:
        self._made: WeakSet[Any] = WeakSet()
        super().__init__()

    def get_connection_with_tls_context(self, *given: Any, **named: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*given, **named)
        if "ConnectionCls" not in vars(pool):
            made, known = pool.ConnectionCls, self._made

            def connection(*words: Any, **options: Any) -> Any:
                new = made(*words, **options)
                known.add(new)
                return new

            pool.ConnectionCls = connection
        return pool

    def end(self) -> None:
        """Shut all connections: a read from one of them then ends."""
        for one in list(self._made):
            if (opened := one.sock) is not None:
                with suppress(OSError):
                    # Below TLS, whose own closing message would wait for the server.
                    socket.socket.shutdown(opened, socket.SHUT_RDWR)


class Endpoint:
    """A model behind the network, which answers several prompts at a time."""

    name = "endpoint"
    seconds = 1.0

    def __init__(self, model: Model, parameters: Parameters, settings: Prompting) -> None:
        """InputError for an address that is neither https nor this machine, and for a missing key."""
        assert model.address is not None
        problem = check_address(model.address)
        if problem:
            # Without the address, which may contain a key by mistake.
            raise InputError(f"model.address: {problem}")
        self.asked, self.parameters, self.settings = model, parameters, settings
        self._base = model.address.rstrip("/")
        self.address = f"{self._base}/chat/completions" if parameters.chat else f"{self._base}/completions"
        self.price: Price | None = settings.price_of(model.name)
        self.parallel = settings.parallel
        self.model = f"{self._base} {model.name}"
        self._secret = _read_key(model.key)
        self._own = local()
        self._lock, self._rest_until = Lock(), 0.0

    def _session(self) -> requests.Session:
        """A connection per thread."""
        if not hasattr(self._own, "session"):
            session = requests.Session()
            session.mount("http://", adapter := _Reachable())
            session.mount("https://", adapter)
            self._own.adapter = adapter
            session.auth = _Key(self._secret)
            # No proxy for this machine itself, since it would read the key.
            session.trust_env = self.address.startswith("https:")
            self._own.session = session
        return self._own.session

    def request(self, prompt: str) -> dict[str, Any]:
        """The body of the request."""
        given = self.parameters
        body: dict[str, Any] = {"model": self.asked.name, self.asked.limit: given.max_tokens}
        if not self.asked.fixed:
            body["temperature"] = given.temperature
            if given.temperature:
                body["seed"] = given.seed
        return body | given.asked(prompt)

    def ask(self, prompt: str, stopped: Event) -> Answer:
        """Try until there is an answer, with growing pauses, or with the pauses that the server asks for.

        A server that still reads its model is waited for, at most `LONGEST_WAIT` seconds, besides the tries.
        """
        failed, waited = 0, 0.0
        while True:
            self._rest(stopped)
            loading = False
            try:
                return self._try(prompt)
            except requests.RequestException as error:
                problem, pause = self._told(reason_of(error)), None
            except _Again as error:
                problem, pause, loading = str(error), error.pause, error.loading
            if loading and waited < LONGEST_WAIT:
                pause = min(max(pause or 0.0, FIRST_PAUSE, waited / 2), LONGEST_PAUSE)
                waited += pause
                self._pause(pause, f"{problem}; again in {pause:g} s")
                continue
            if failed >= self.settings.retries:
                raise InputError(
                    f"no answer: {problem}",
                    path=self.address,
                    fix="the answers so far are kept: run again to go on from there",
                )
            if pause is None:
                pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**failed)
            elif pause > LONGEST_WAIT:
                raise InputError(
                    f"asks to wait {pause:.0f} s",
                    path=self.address,
                    fix="the answers so far are kept: run again then",
                )
            failed += 1
            self._pause(pause, f"{problem}; again in {pause:g} s ({failed} of {self.settings.retries})")

    def _pause(self, seconds: float, said: str) -> None:
        """Say why, and send nothing for some seconds."""
        print(f"{self.address}: {said}", file=sys.stderr)
        with self._lock:
            self._rest_until = max(self._rest_until, time.monotonic() + seconds)

    def _rest(self, stopped: Event) -> None:
        """Wait as long as the server asks; all threads wait, since the limit belongs to the key."""
        while True:
            with self._lock:
                left = self._rest_until - time.monotonic()
            if stopped.wait(max(left, 0.0)):
                raise InputError("stopped", path=self.address)
            if left <= 0:
                return

    def _try(self, prompt: str) -> Answer:
        session, late, over = self._session(), Event(), Event()
        adapter = self._own.adapter

        def limit() -> None:
            pause = self.settings.timeout
            while not over.wait(pause):
                late.set()
                # Repeatedly: if a name is resolved slowly, the connection is made only later.
                adapter.end()
                pause = AGAIN

        Thread(target=limit, daemon=True).start()
        try:
            with session.post(
                self.address,
                json=self.request(prompt),
                headers={"Accept-Encoding": "identity"},
                stream=True,
                # A redirect would send prompt and key elsewhere.
                allow_redirects=False,
                timeout=(min(CONNECT, self.settings.timeout), self.settings.timeout),
            ) as answer:
                body = self._body(answer, late)
        except (requests.RequestException, _Again):
            if late.is_set():
                raise _Again(f"not finished within {self.settings.timeout:g} s") from None
            raise
        finally:
            over.set()
        status = answer.status_code
        if status == 200:
            found = read_body(body, self.address)
            if isinstance(found, dict) and found.get("error") and not found.get("choices"):
                raise InputError(
                    f"the server answers with an error{self._said(body, 200)}", path=self.address
                )
            return read_answer(found, self.address)
        if status in (401, 403):
            # Without the text of the server, which may repeat a part of the key.
            key = f"the key in {self.asked.key}" if self.asked.key else "a request without a key"
            raise InputError(f"the server refuses {key} (status {status})", path=self.address)
        said = self._said(body, status)
        if status in PASSING and "insufficient_quota" not in said:
            wanted = _wanted(answer.headers.get("Retry-After", ""))
            loading = status == 503 and LOADING.search(said) is not None
            raise _Again(f"status {status}{said}", wanted, loading=loading)
        if status in (400, 404) and NO_MODEL.search(said):
            problem, names = f"the server has no model '{self.asked.name}'", f"{self._base}/models"
            raise InputError(
                f"{problem} ({status}{said})", path=self.address, fix=f"{names} names its models"
            )
        fix = "is this the address of the API, such as http://127.0.0.1:8000/v1?" if status == 404 else ""
        raise InputError(f"the server answers {status}{said}", path=self.address, fix=fix)

    def _body(self, answer: requests.Response, late: Event) -> bytes:
        """All bytes of an answer, which may be neither too slow nor too long."""
        found = bytearray()
        while True:
            try:
                chunk = answer.raw.read1(1 << 16)
            except Exception as error:
                # urllib3's errors, which requests translates only when it reads itself.
                if not type(error).__module__.startswith(("urllib3", "http")):
                    raise
                raise _Again(self._told(f"the answer broke off ({error})")) from None
            if late.is_set():
                raise _Again("too late")
            if not chunk:
                return bytes(found)
            found += chunk
            if len(found) > LARGEST:
                raise InputError(f"the answer has more than {LARGEST} bytes", path=self.address)

    def _said(self, body: bytes, status: int) -> str:
        """The server's own message about an error, short and without the key."""
        try:
            found = read_body(body, "")
        except InputError:
            return ""
        if not isinstance(found, dict):
            return ""
        # Older ones of vLLM have the message at the top, some proxies a text or `detail`.
        error = found.get("error") or found
        if isinstance(error, dict):
            words = error.get("message") or error.get("detail") or ""
            # Servers of one's own repeat the status as their code.
            code = error.get("code")
            error = f"{'' if code in (None, status, str(status)) else code} {words}"
        said = self._told(" ".join(str(error).split()))[:300]
        return f": {said}" if said else ""

    def _told(self, text: str) -> str:
        """A text for a log: without the key, even if a server repeats it, and without control characters."""
        text = text.replace(self._secret, "[key]") if self._secret else text
        return "".join(character if character.isprintable() else "?" for character in text)


def _read_key(name: str | None) -> str:
    """The key from an environment variable; empty if none is configured."""
    if name is None:
        return ""
    key = os.environ.get(name, "").strip()
    if not key:
        raise InputError(f"no key: the environment has no {name}", fix=f"export {name}=... and run again")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"the value of {name} is not a key: it contains characters that no header can")
    return key


def _wanted(text: str) -> float | None:
    """The seconds of Retry-After, which is a number or a date; None if it is neither."""
    if text.strip().isdecimal():
        return min(float(text), 1e9)
    try:
        then = parsedate_to_datetime(text)
        if then.tzinfo is None:
            then = then.replace(tzinfo=UTC)
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
