"""The web chat. Gradio reads its telemetry switch while it is imported, so the switch is set here, before."""

import os

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
# Gradio asks its own address whether it is up; where a proxy is set, that question must not go to the proxy.
_DIRECT = [os.environ.get("NO_PROXY") or os.environ.get("no_proxy"), "127.0.0.1", "localhost", "::1"]
os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join(part for part in _DIRECT if part)
