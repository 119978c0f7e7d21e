"""The headers that every response carries, whatever made it."""

from __future__ import annotations

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

# Gradio's page has inline scripts and makes functions of texts; all of it comes from here all the same.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; "
    "worker-src 'self' blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
_ALWAYS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    # Other sites learn nothing. With "no-referrer" browsers would send "Origin: null" with our own forms.
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}


def guarded(headers: Iterable[tuple[bytes, bytes]], *, private: bool) -> Headers:
    """The headers with ours beside them and no word of CORS; `private` pages are kept by no cache."""
    kept = [(name, value) for name, value in headers if not name.lower().startswith(b"access-control-")]
    names = {name.lower() for name, _ in kept}
    kept += [(name, value) for name, value in _ALWAYS.items() if name not in names]
    if b"content-security-policy" not in names:
        kept.append((b"content-security-policy", PAGE_POLICY.encode()))
    kind = next((value for name, value in kept if name.lower() == b"content-type"), b"")
    if private and kind.startswith((b"text/html", b"application/json")):
        kept = [(name, value) for name, value in kept if name.lower() != b"cache-control"]
        kept.append((b"cache-control", b"no-store"))
    return kept
