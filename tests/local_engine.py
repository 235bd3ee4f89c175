"""A search engine on this machine that speaks like OpenSearch: enough to be asked, to be busy, and to be wrong."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


@dataclass
class Engine:
    url: str = ""
    answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Hits by a word that the query holds."""
    failures: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """Status and headers of the next answers, before it works again."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    raw: bytes | None = None
    """What it says in place of JSON."""

    def answer(self, body: dict[str, Any]) -> bytes:
        text = json.dumps(body)
        hits = next((found for word, found in self.answers.items() if word in text), [])
        return self.raw if self.raw is not None else json.dumps({"took": 1, "hits": {"hits": hits}}).encode()


@contextmanager
def running(engine: Engine) -> Iterator[Engine]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            engine.asked.append(body)
            engine.headers.append(dict(self.headers.items()))
            status, extra = engine.failures.pop(0) if engine.failures else (200, {})
            said = engine.answer(body) if status == 200 else b"too busy"
            self.send_response(status)
            for name, value in {**extra, "Content-Length": str(len(said))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the server's own word
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    engine.url = f"http://127.0.0.1:{server.server_port}/patents/_search"
    try:
        yield engine
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
