"""A service that sends prepared bytes, for answers that no real service gives."""

import json
import socket
import threading

RESULT = {
    "code": "1",
    "language": "python",
    "engine": "none",
    "durationMs": 1,
    "logs": {"stdout": ["a", "grüße"], "stderr": []},
    "results": [{"text": "1"}],
}


def answer(body, status=200, headers=()):
    """The bytes of an answer with a length."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(data)}", "connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + data


def stream(*events, end=b""):
    """The bytes of a stream of events, which ends with the connection."""
    head = b"HTTP/1.1 200 X\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n"
    data = b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events)
    body = data + end
    pieces = b"".join(b"%x\r\n%s\r\n" % (1, body[at : at + 1]) for at in range(len(body)))
    return head + b"transfer-encoding: chunked\r\n\r\n" + pieces


END_OF_CHUNKS = b"0\r\n\r\n"


class Unfinished(bytes):
    """The beginning of an answer whose rest never comes, while its connection stays open."""


class ScriptedService:
    """Gives each connection the next answer of its list, and closes it. None: at once."""

    def __init__(self, *answers):
        self.requests = []
        self._answers = list(answers)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._server.close()

    def _serve(self):
        for prepared in self._answers:
            connection, _address = self._server.accept()
            with connection:
                self.requests.append(_read_request(connection))
                if prepared is not None:
                    connection.sendall(prepared)
                if not isinstance(prepared, Unfinished):
                    connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass


def _read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65_536)
    method, path, _version = first.split(" ")
    return {"method": method, "path": path, "headers": headers, "body": body}
