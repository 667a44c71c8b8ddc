"""A server of ours on the loopback address, for tests of what is downloaded."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LoopbackServer:
    """Hands each request to `answer`, which a test's own server writes."""

    def __init__(self):
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.answer(self)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def answer(self, request):
        raise NotImplementedError

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


def send(request, body, code=200, **headers):
    """Sends an answer; names of headers are written with "_" in place of "-"."""
    request.send_response(code)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(body)
