"""Logging for an ACP agent. Copy this file into yours."""

from datetime import datetime, timezone

LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "off"]


class AgentLog:
    def __init__(self, notify):
        """notify(method, params) sends a JSON-RPC notification to the client."""
        self.notify = notify
        self.method = "log"
        self.threshold = "off"  # until the client asks for logs

    def begin(self, capabilities):
        """Reads the `clientCapabilities` of `initialize`: the extension's form, or that of the logging proposal."""
        ours = ((capabilities.get("_meta") or {}).get("agent-logs") or {}).get("logging")
        self.method = "log" if ours is None else "_agent-logs/log"
        asked = capabilities.get("logging") if ours is None else ours
        if asked is None or asked is False:
            self.set_level("off")
        else:
            self.set_level(asked.get("level") if isinstance(asked, dict) else None)

    def set_level(self, level):
        """Handles `logging/setLevel`. A missing or unknown level means info."""
        self.threshold = level if level in LEVELS else "info"

    def send(self, level, message, **fields):
        """Optional fields: sessionId, logger and data."""
        if LEVELS.index(level) >= LEVELS.index(self.threshold):
            timestamp = datetime.now(timezone.utc).isoformat()
            self.notify(self.method, {"level": level, "message": message, "timestamp": timestamp, **fields})
