"""A newer version: what an address answers is read or refused in one line; figures are compared."""

import json

import pytest
from loopback import LoopbackServer, send

from botapp.host import newer
from botapp.host.newer import NewerError, Release, is_newer, newest
from botapp.host.versions import versions


class Releases(LoopbackServer):
    """Answers with what a test puts into `body`, and keeps what was asked."""

    body, code, headers = b"{}", 200, {}

    def answer(self, request):
        self.asked = [*getattr(self, "asked", []), (request.path, dict(request.headers))]
        send(request, self.body, self.code, **self.headers)


@pytest.fixture
def server():
    made = Releases()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("told", "release"),
    [
        (
            {"tag_name": "v0.3.0", "html_url": "https://example.org/r/0.3.0"},
            Release("0.3.0", "https://example.org/r/0.3.0"),
        ),
        ({"tag_name": "botapp-1.2", "html_url": "javascript:x"}, Release("1.2")),
        (
            {"info": {"version": "0.4", "package_url": "https://example.org/botapp"}},
            Release("0.4", "https://example.org/botapp"),
        ),
    ],
)
def test_releases_and_package_indexes_are_understood(server, told, release):
    server.body = json.dumps(told).encode()
    assert newest(f"{server.address}/latest") == release
    ((path, headers),) = server.asked
    assert path == "/latest" and headers["User-Agent"] == f"botapp/{versions()['botapp']}"
    assert not {"Cookie", "Authorization", "Referer"} & set(headers)


@pytest.mark.parametrize(
    ("body", "code", "headers"),
    [
        (b"{}", 200, {}),
        (b"no json", 200, {}),
        (b"[" * 100_000, 200, {}),
        (b'{"tag_name": 3}', 200, {}),
        (b'{"tag_name": "latest"}', 200, {}),
        (b'{"tag_name": "' + b"9" * 500 + b'"}', 200, {}),
        (b'{"info": []}', 200, {}),
        (b"", 404, {}),
        (b"", 302, {"Location": "http://127.0.0.1:1/elsewhere"}),
        (b" " * ((1 << 20) + 1), 200, {}),
    ],
)
def test_any_other_answer_is_one_line_that_names_the_address(server, body, code, headers):
    server.body, server.code, server.headers = body, code, headers
    with pytest.raises(NewerError, match=r"127\.0\.0\.1") as told:
        newest(server.address)
    assert "\n" not in str(told.value) and len(server.asked) == 1


@pytest.mark.parametrize(
    "address", ["http://example.org", "file:///etc/passwd", "ftp://x", "nonsense", "", "https:"]
)
def test_only_https_is_asked(address):
    with pytest.raises(NewerError):
        newest(address)


def test_where_nothing_answers_that_is_one_line(server):
    address = server.address
    server.close()
    with pytest.raises(NewerError, match="does not answer as it should") as told:
        newest(address)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("theirs", "ours", "newer_"),
    [
        ("0.3.0", "0.2.0", True),
        ("v0.10.0", "0.9.1", True),
        ("0.2", "0.2.0", False),
        ("0.2.0", "0.2.1", False),
        ("0.3.0rc1", "0.3.0", False),
        ("0.3.0", "0.3.0rc1", True),
        ("nonsense", "0.2.0", False),
        ("0.3.0", "missing", False),
    ],
)
def test_figures_are_compared(theirs, ours, newer_):
    assert is_newer(theirs, ours) is newer_


def test_the_address_of_a_copy_is_what_its_publisher_wrote(monkeypatch):
    class Package:
        class metadata:
            @staticmethod
            def get_all(name):
                assert name == "Project-URL"
                return ["Source, https://example.org", "Newest release, https://example.org/latest"]

    monkeypatch.setattr(newer, "distribution", lambda name: Package)
    assert newer.published_address() == "https://example.org/latest"
