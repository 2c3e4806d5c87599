"""A small ACP agent without dependencies that shows every way to log. Start it with `python3 agent.py`."""

import json
import sys

from agent_log import AgentLog

SESSION = "session-1"


def write(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def notify(method, params):
    write({"method": method, "params": params})


def update(what):
    notify("session/update", {"sessionId": SESSION, "update": what})


log = AgentLog(notify)
takes_notices = False


def initialize(params):
    global takes_notices
    capabilities = params.get("clientCapabilities") or {}
    log.begin(capabilities)
    takes_notices = (capabilities.get("session") or {}).get("notices") not in (None, False)
    return {"protocolVersion": 1, "agentInfo": {"name": "sample-python", "version": "1.0.0"}}


def new_session(_):
    log.send("info", "The index is loaded")  # belongs to no session
    return {"sessionId": SESSION}


def prompt(_):
    log.send("debug", "Sent only at level debug", sessionId=SESSION)
    log.send("warning", "The index is stale", sessionId=SESSION, logger="search", data={"ageSeconds": 86_400})
    print("WARN  cache: nothing is cached", file=sys.stderr, flush=True)  # always works; belongs to no session
    if takes_notices:  # for the user
        update({"sessionUpdate": "notice", "severity": "warning", "title": "Two files were left out"})
    update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Done."}})
    return {"stopReason": "end_turn"}


def set_level(params):
    log.set_level(params.get("level"))  # changes the level without a restart
    return {}


ANSWERS = {
    "initialize": initialize,
    "session/new": new_session,
    "session/prompt": prompt,
    "logging/setLevel": set_level,
}

for line in sys.stdin.buffer:  # UTF-8 on every machine
    message = json.loads(line)
    request, method = message.get("id"), message.get("method")
    if request is None or method is None:
        continue  # a notification, such as `session/cancel`
    if method in ANSWERS:
        write({"id": request, "result": ANSWERS[method](message.get("params") or {})})
    else:
        write({"id": request, "error": {"code": -32601, "message": f"Method not found: {method}"}})
