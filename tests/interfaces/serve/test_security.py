"""What stands before every route: Host, Origin, key, headers, sizes, paths, slow clients."""

from __future__ import annotations

import json
import time

import pytest
from served import KEY, Serve

from triplewise.errors import ConfigError
from triplewise.interfaces.serve.options import ServeOptions, checked, is_loopback
from triplewise.interfaces.serve.security import host_allowed, key_matches

ROUTES = ["/", "/page/main.js", "/page/base.css", "/healthz", "/api/start", "/v1/models", "/evidence/m1", "/nothing"]
KEYED = ["/api/start", "/api/threads", "/v1/models", "/openwebui/v1/models", "/mcp"]


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("127.0.0.1:8000", True), ("localhost:8000", True), ("[::1]:8000", True), ("192.168.1.7:8000", True), ("LOCALHOST", True),
        ("graph.example:8000", True), ("evil.example", False), ("", False), ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8000", False), ("evil.example#127.0.0.1", False), ("a@127.0.0.1", False), ("[::1", False),
        ("public.example", True),
    ],
)  # fmt: skip
def test_host(host: str, allowed: bool) -> None:
    options = ServeOptions(allowed_hosts=("graph.example",), public_url="https://public.example/base")
    assert host_allowed(host, options) is allowed


def test_a_foreign_host_is_refused_on_every_route(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        for route in (*ROUTES, "/mcp"):
            assert client.get(route, headers={"Host": "evil.example"}).status_code == 421, route


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_foreign_origin_is_refused(serve: Serve, origin: str) -> None:
    served = serve()
    with served.client() as client:
        for route in ("/api/turn", "/v1/chat/completions", "/mcp", "/api/graphs"):
            assert client.post(route, json={}, headers={"Origin": origin}).status_code == 403
        assert client.get("/api/threads", headers={"Origin": origin}).status_code == 403
        assert client.request("DELETE", "/api/threads/t1", headers={"Origin": origin}).status_code == 403


def test_our_own_origin_and_no_origin_are_served(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        for headers in ({}, {"Origin": served.url}, {"Sec-Fetch-Site": "same-origin"}):
            assert client.post("/api/turn", json={"text": "hello"}, headers=headers).status_code == 200
        assert client.get("/api/start", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200  # a link may lead here


def test_no_cors(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        answer = client.request("OPTIONS", "/v1/chat/completions", headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert not [h for h in client.get("/v1/models").headers if h.startswith("access-control")]


def test_only_json_is_taken(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            answer = client.post("/api/turn", content=b'{"text":"hello"}', headers={"Content-Type": kind})
            assert answer.status_code == 415, kind


def test_headers_of_every_answer(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        for route in ROUTES:
            headers = client.get(route).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy and "trusted-types 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY" and "server" not in headers
        refused = client.get("/", headers={"Host": "evil.example"})
        assert "default-src 'none'" in refused.headers["content-security-policy"]


def test_only_evidence_may_be_framed_and_only_by_the_one_origin(serve: Serve) -> None:
    served = serve(frame_origin="https://chat.example")
    with served.client() as client:
        framed = client.get("/evidence/m1").headers
        assert "frame-ancestors https://chat.example;" in framed["content-security-policy"]
        assert "x-frame-options" not in framed
        assert "frame-ancestors 'none'" in client.get("/").headers["content-security-policy"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "myhost"])
def test_a_key_is_needed_beyond_loopback(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(ConfigError, match="no key"):
        checked(ServeOptions(host=host))
    assert checked(ServeOptions(host=host, key=KEY)).key == KEY


@pytest.mark.parametrize(
    "key",
    [
        "shört",
        "changeme-changeme-changeme",
        "aaaaaaaaaaaaaaaaaaaaaaaa",
        "has a space in it 123",
        "schlüssel-1234567890ab",
    ],
)
def test_a_key_that_is_none_is_refused(key: str) -> None:
    with pytest.raises(ConfigError) as error:
        checked(ServeOptions(key=key))
    assert key not in str(error.value)


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(ServeOptions(key=KEY))


@pytest.mark.parametrize(
    "url", ["chat.example", "javascript:alert(1)", "https://a; script-src *", "https://a.example/path"]
)
def test_a_frame_origin_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError):
        checked(ServeOptions(frame_origin=url))


def test_the_key_opens_and_nothing_else_does(serve: Serve) -> None:
    served = serve(key=KEY)
    with served.client() as client:
        for route in KEYED:
            for given in ("", "Bearer", f"Bearer {KEY[:-1]}", f"Bearer {KEY}x", f"Basic {KEY}", KEY):
                answer = client.get(route, headers={"Authorization": given} if given else {})
                assert answer.status_code == 401, (route, given)
                assert answer.headers["www-authenticate"] == "Bearer"
            assert client.get(route, headers={"Authorization": f"bearer {KEY}"}).status_code in (200, 400, 406)
        for route in ("/", "/page/main.js", "/healthz", "/evidence/m1"):
            assert client.get(route).status_code == 200
        assert client.post("/api/turn", json={"text": "hello"}).status_code == 401


def test_keys_are_compared_as_bytes() -> None:
    assert key_matches(f"Bearer {KEY}", KEY)
    assert not key_matches("Bearer ü", KEY)


def test_evidence_by_signature_alone(serve: Serve) -> None:
    served = serve(key=KEY)
    with served.client(headers={"Authorization": f"Bearer {KEY}"}) as client:
        said = client.post(
            "/v1/chat/completions", json={"messages": [{"role": "user", "content": "Blade Runner"}]}
        ).json()
    link = said["triplewise"]["evidence_url"]
    path = "/api" + link.removeprefix(served.url)
    with served.client() as client:
        assert client.get(path).status_code == 200
        for wrong in (
            path.split("?")[0],
            path[:-1],
            path.replace("?s=", "?s=0"),
            path.split("?")[0] + "x?" + path.split("?")[1],
        ):
            assert client.get(wrong).status_code == 401, wrong
        assert KEY not in link


@pytest.mark.parametrize(
    "path",
    ["/page/../app.py", "/page/..%2fapp.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/....//app.py", "/page/main.js%00.html",
     "/page/..\\app.py", "/page/", "/page/__init__.py", "//etc/passwd"],
)  # fmt: skip
def test_paths_lead_nowhere_else(serve: Serve, path: str) -> None:
    served = serve()
    with served.raw() as sock:
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while chunk := sock.recv(65536):
            answer += chunk
    assert answer.split()[1] in (b"404", b"400", b"307"), answer[:100]
    assert b"import" not in answer and b"root:" not in answer


def test_oversized_bodies(serve: Serve) -> None:
    served = serve(max_body=10_000, max_upload=50_000)
    with served.client() as client:
        for route in ("/api/turn", "/v1/chat/completions", "/mcp"):
            assert client.post(route, json={"text": "x" * 20_000}).status_code == 413, route
        assert client.post("/api/graphs", json={"name": "a.tsv", "text": "x" * 60_000}).status_code == 413

        def drip() -> object:
            for _ in range(40):
                yield b"x" * 1000

        headers = {"Content-Type": "application/json"}
        assert client.post("/api/turn", content=drip(), headers=headers).status_code == 413  # type: ignore[arg-type]


@pytest.mark.parametrize("length", ["-1", "1e9", "99999999999999999999", "abc"])
def test_lengths_that_are_none(serve: Serve, length: str) -> None:
    served = serve()
    with served.raw() as sock:
        head = f"POST /api/turn HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        sock.sendall(head.encode())
        assert sock.recv(65536).split()[1] in (b"400", b"413")


def test_a_body_that_never_ends_is_given_up(serve: Serve) -> None:
    served = serve(read_timeout=0.5)
    with served.raw() as sock:
        sock.sendall(
            b"POST /api/turn HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        began = time.monotonic()
        assert b"408" in sock.recv(65536).split(b"\r\n")[0]
        assert time.monotonic() - began < 3


def test_headers_that_never_end_are_given_up(serve: Serve) -> None:
    served = serve(read_timeout=0.5)
    with served.raw() as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0")
        began = time.monotonic()
        assert sock.recv(10) == b""
        assert time.monotonic() - began < 3
    with served.raw() as sock:  # also behind a first request that was whole
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b""
        while not answer.endswith(b"}"):
            answer += sock.recv(65536)
        sock.sendall(b"GET / HTTP/1.1\r\nHost")
        assert sock.recv(10) == b""


def test_headers_without_end_are_given_up(serve: Serve) -> None:
    served = serve()
    with served.raw() as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 200_000)
        assert b" 400 " in sock.recv(65536).split(b"\r\n")[0] + b" "


def test_a_client_that_reads_nothing_is_given_up(serve: Serve, hostile_graph: dict) -> None:
    from triplewise.kg import NetworkxStore
    from triplewise.types import Triple

    big = NetworkxStore([Triple("Alpha", "says", "word " * 40_000 + str(i)) for i in range(30)], name="big")
    served = serve(send_timeout=0.5, graphs={"big": big})
    with served.raw() as sock:
        body = json.dumps({"text": "Alpha"}).encode()
        sock.sendall(
            b"POST /api/turn HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        deadline = time.monotonic() + 10
        while served.service.running == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        while served.service.running and time.monotonic() < deadline:
            time.sleep(0.05)
        assert served.service.running == 0


@pytest.mark.usefixtures("collected")
def test_deep_json_is_refused(serve: Serve) -> None:
    served = serve()
    with served.client() as client:
        headers = {"Content-Type": "application/json"}
        for body in ("[" * 100_000, '{"messages":' + "[" * 50_000 + "]" * 50_000 + "}", "nul", "\xff"):
            for route in ("/v1/chat/completions", "/api/turn", "/mcp"):
                assert client.post(route, content=body.encode("latin-1"), headers=headers).status_code in (
                    400,
                    406,
                    422,
                ), (route, body[:9])
