"""The guard's parts: accounts, sessions, the slow-down, hosts and origins, headers."""

from __future__ import annotations

import pytest

from corpus.errors import InputError
from ui.account import account_html
from ui.guard.accounts import Accounts, check_needed, read_accounts
from ui.guard.headers import guarded
from ui.guard.hosts import Hosts, is_loopback
from ui.guard.login import login_page, safe_goal
from ui.guard.sessions import LASTS, Sessions
from ui.guard.throttle import Throttle


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def accounts(value: str = "ada:secret one,bob:b:c") -> Accounts:
    found = read_accounts(value)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("ada:x", ["ada"]),
        ("ada:x, bob:y,", ["ada", "bob"]),
        ("ada:x,y\nbob:z\r\n\n", ["ada", "bob"]),
    ],
)
def test_accounts_are_read(value: str, names: list[str]) -> None:
    assert [one.name for one in accounts(value)] == names


@pytest.mark.parametrize("value", [None, "", " ", ",\n"])
def test_no_accounts(value: str | None) -> None:
    assert read_accounts(value) is None


@pytest.mark.parametrize(
    "value", ["hunter2", "a:ok,:hunter2", "hunter2:", "a:hunter2,a:hunter3", "h\x00unter2:x"]
)
def test_a_faulty_entry_is_numbered_and_never_shown(value: str) -> None:
    with pytest.raises(InputError, match=r"entry [12] .*user:password") as caught:
        read_accounts(value)
    assert "unter" not in str(caught.value)


def test_a_password_with_commas_needs_lines() -> None:
    assert accounts("ada:x,y:z\nbob:z").by_password("ada", "x,y:z")


def test_passwords_and_keys() -> None:
    known = accounts("ada:secret one,bob:b:c,eve:pässwörd")
    for name, password in (("ada", "secret one"), ("bob", "b:c"), (" eve ", "pässwörd")):
        found = known.by_password(name, password)
        assert found is not None
        assert found.name == name.strip()
        for key in (password, f"{name.strip()}:{password}"):
            assert known.by_key(key) == found
    for name, password in (("ada", "b:c"), ("ada", ""), ("", ""), ("ada", "secret one "), ("nobody", "x")):
        assert known.by_password(name, password) is None
    for key in ("", "ada", "ada:", "ada:b:c", "secret", "\udcff"):
        assert known.by_key(key) is None


def test_passwords_are_in_no_repr() -> None:
    shown = repr(accounts("ada:hunter2"))
    assert "ada" in shown
    assert "hunter2" not in shown
    assert "password" not in shown


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.5", "papers.example.org", ""])
def test_an_address_that_others_reach_needs_a_password(host: str) -> None:
    assert Hosts(host).reached_by_others
    with pytest.raises(InputError, match="ASSISTANT_AUTH to user:password"):
        check_needed(None, host=host, needed=Hosts(host).reached_by_others)
    check_needed(accounts(), host=host, needed=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_this_machine_alone_needs_none(host: str) -> None:
    assert is_loopback(host)
    check_needed(None, host=host, needed=Hosts(host).reached_by_others)
    assert Hosts(host, ("papers.example.org",)).reached_by_others


def test_sessions() -> None:
    clock = Clock()
    known = accounts()
    sessions = Sessions(known, clock)
    ada, bob = known
    token, other = sessions.new(ada), sessions.new(bob)
    assert sessions.name(token) == "ada"
    assert sessions.name(other) == "bob"
    assert sessions.new(ada) != token
    body, _, signature = token.partition(".")
    forged = [
        f"{other.partition('.')[0]}.{signature}",
        f"{body}.",
        body,
        "",
        ".",
        f"{body}.é",
        f"{body}x.{signature}",
    ]
    forged += ["W10.x", "x" * 10_000, "bnVsbA.x", "WzFd.x", "!.!"]
    assert [sessions.name(one) for one in forged] == [None] * len(forged)
    sessions.end(token)
    assert sessions.name(token) is None
    assert sessions.name(other) == "bob"
    clock.now += LASTS + 1
    assert sessions.name(other) is None
    assert Sessions(known, clock).name(sessions.new(ada)) is None  # another start, another secret


def test_wrong_passwords_slow_down_their_own_address() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    waits = []
    for _ in range(16):
        waits.append(throttle.wait("192.0.2.1"))
        clock.now += waits[-1]
        throttle.failed("192.0.2.1")
    assert waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert throttle.wait("192.0.2.2") == 0
    clock.now += 301
    assert throttle.wait("192.0.2.1") == 0
    clock.now += 3600
    throttle.failed("192.0.2.1")
    assert throttle.wait("192.0.2.1") == 0
    for host in range(6):
        throttle.failed(f"2001:db8::{host}")
    assert throttle.wait("2001:db8::ffff") > 0
    assert throttle.wait("2001:db8:0:1::1") == 0
    throttle.passed("2001:db8::77")
    assert throttle.wait("2001:db8::1") == 0


@pytest.mark.parametrize(
    ("bound", "host", "known"),
    [
        ("127.0.0.1", "127.0.0.1:7860", True),
        ("127.0.0.1", "LOCALHOST:7860", True),
        ("127.0.0.1", "[::1]:7860", True),
        ("127.0.0.1", "evil.example", False),
        ("127.0.0.1", "127.0.0.1.evil.example:7860", False),
        ("127.0.0.1", "192.168.0.5", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
        ("127.0.0.1", "papers.example.org", True),
        ("192.168.0.5", "192.168.0.5:7860", True),
        ("192.168.0.5", "192.168.0.6:7860", False),
        ("0.0.0.0", "192.168.0.6:7860", True),
        ("0.0.0.0", "[fe80::1]:7860", True),
        ("::", "evil.example", False),
        ("myhost", "myhost:7860", True),
    ],
)
def test_hosts(bound: str, host: str, known: bool) -> None:
    assert Hosts(bound, ("papers.example.org",)).know(host) is known


@pytest.mark.parametrize(
    ("headers", "method", "foreign"),
    [
        ({}, "POST", False),
        ({"origin": "http://127.0.0.1:7860"}, "POST", False),
        ({"origin": "https://papers.example.org"}, "POST", False),
        ({"origin": "http://127.0.0.1:3000"}, "POST", True),
        ({"origin": "http://localhost:7860"}, "POST", True),
        ({"origin": "null"}, "GET", True),
        ({"origin": "http://evil.example"}, "OPTIONS", True),
        ({"origin": "http://[", "host": "["}, "GET", True),
        ({"sec-fetch-site": "same-origin"}, "POST", False),
        ({"sec-fetch-site": "none", "sec-fetch-mode": "navigate"}, "GET", False),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, "GET", False),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, "POST", True),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, "GET", True),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, "GET", True),
    ],
)
def test_origins(headers: dict[str, str], method: str, foreign: bool) -> None:
    hosts = Hosts("127.0.0.1", ("papers.example.org",))
    assert hosts.foreign({"host": "127.0.0.1:7860", **headers}, method) is foreign


def test_headers() -> None:
    given = [
        (b"Access-Control-Allow-Origin", b"*"),
        (b"content-type", b"text/html"),
        (b"cache-control", b"x"),
    ]
    made = dict(guarded(given, private=True))
    assert b"Access-Control-Allow-Origin" not in made
    assert made[b"cache-control"] == b"no-store"
    assert b"frame-ancestors 'none'" in made[b"content-security-policy"]
    assert made[b"x-content-type-options"] == b"nosniff"
    assert dict(guarded(given, private=False))[b"cache-control"] == b"x"
    own = [(b"content-security-policy", b"default-src 'none'")]
    assert dict(guarded(own, private=False))[b"content-security-policy"] == b"default-src 'none'"


@pytest.mark.parametrize(
    ("goal", "safe"),
    [
        ("/?a=b", "/?a=b"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/\nx", "/"),
        ("", "/"),
        ("/logout", "/"),
        ("/login?goal=/", "/"),
    ],
)
def test_a_login_leads_nowhere_else(goal: str, safe: str) -> None:
    assert safe_goal(goal) == safe


def test_names_and_goals_are_shown_as_text() -> None:
    page = bytes(login_page(fault="<b>", goal='/"><script>').body).decode()
    assert "<script>" not in page
    assert "<b>" not in page
    assert "<svg" not in account_html('<svg onload="x">')
