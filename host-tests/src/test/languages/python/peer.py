"""The worker's side of the host protocol, for tests."""
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
HOST = HERE.parents[4] / "hosts/src/main/resources/dev/toolfleet/hosts/host.py"
BUNDLE = HERE / "bundle"
DESCRIPTORS = 'exec 3<&0 4>&1 0</dev/null 1>&2; exec "$@"'
MOST_RECORDED = 10_000
PATIENCE = 30

CONTEXT = {
    "agentName": "clerk", "instanceKey": "office/1", "turnId": "turn", "stepId": "step", "traceId": "trace",
    "toolCallId": "call-1", "caller": {"userId": "ada"},
    "message": {"id": "m", "data": {"role": "assistant"}, "metadata": {}, "createdAt": "2026-11-27T10:00:00.000Z",
                "source": {"type": "assistant", "stepId": "step"}},
    "workdir": "/tmp", "deadline": "2026-11-27T10:00:30.000Z", "timeoutMs": 30000, "attempt": 2,
    "idempotencyKey": "key", "fencingToken": 17, "runtime": True,
}


def served(name, params):
    """Answers a service as a fleet in miniature."""
    target = params.get("target")
    if target == "nobody":
        return {"error": {"code": -32000, "message": "no such agent",
                          "data": {"name": "AgentError", "code": "E_AGENT", "suggestion": "ask ada"}}}
    return {"result": {
        "runtime.request": {"eventId": "e", "target": target, "response": params.get("event", {}).get("input"),
                            "correlationId": f"c{params.get('timeoutMs')}"},
        "runtime.send": {"eventId": "e", "target": target, "accepted": True},
        "runtime.spawn": {"target": target, "instanceKey": "i", "spawned": True, "cwd": params.get("cwd")},
        "runtime.list": {"agents": [{"target": "coder", "instanceKey": "i"}] if params.get("includeAll") else []},
        "runtime.catalog": {"selfAgent": "clerk", "availableAgents": ["clerk"], "callableAgents": []},
    }[name]}


class Peer:
    """A host's process, and the conversation with it."""

    def __init__(self, **environment):
        self.process = subprocess.Popen(
            ["sh", "-c", DESCRIPTORS, "sh", sys.executable, "-I", HOST], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "TOOLFLEET_HOST_ROOT": str(BUNDLE), **environment})
        self.ids = 0
        self.answers = {}
        self.changed = threading.Condition()
        self.may_read = threading.Event()
        self.may_read.set()
        self.notes = []
        self.prints = queue.SimpleQueue()
        self.over = False
        self.readers = [threading.Thread(target=each, daemon=True) for each in (self.read, self.read_prints)]
        for reader in self.readers:
            reader.start()

    @classmethod
    def loaded(cls, **environment):
        peer = cls(**environment)
        peer.ask("hello", protocol=1, worker="0.9.0", limits={"messageBytes": 4194304, "inFlight": 64})
        peer.load("everything.py")
        return peer

    def read(self):
        for line in self.process.stdout:
            self.may_read.wait()
            record(self.process.pid, "←", line)
            message = json.loads(line)
            if message.get("method") == "service":
                self.write({"jsonrpc": "2.0", "id": message["id"],
                            **served(message["params"]["name"], message["params"]["params"])})
                continue
            with self.changed:
                if "method" in message:
                    self.notes.append(message)
                else:
                    self.answers[message["id"]] = message
                self.changed.notify_all()
        with self.changed:
            self.over = True
            self.changed.notify_all()

    def read_prints(self):
        for line in self.process.stderr:
            self.prints.put(line.decode())

    def write(self, message):
        line = json.dumps(message, ensure_ascii=False).encode() + b"\n"
        record(self.process.pid, "→", line)
        self.write_bytes(line)

    def write_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method, **params):
        """Sends a request, and returns its id."""
        self.ids += 1
        self.write({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return self.ids

    def answer(self, request):
        with self.changed:
            if not self.changed.wait_for(lambda: request in self.answers or self.over, PATIENCE):
                raise TimeoutError(f"no answer to {request}")
            if request not in self.answers:
                raise EOFError(f"the host ended with {self.process.wait(PATIENCE)}")
            message = self.answers.pop(request)
        return message["error"] if "error" in message else message["result"]

    def ask(self, method, **params):
        return self.answer(self.send(method, **params))

    def load(self, file, **config):
        return self.ask("load", tool=file, file=str(BUNDLE / file), config=config, exports=["a"])

    def start(self, name, input=None, tool="everything.py", **context):
        return self.send("invoke", tool=tool, export=name, context={**CONTEXT, **context}, input=input or {})

    def invoke(self, name, input=None, **context):
        return self.answer(self.start(name, input, **context))

    def close(self):
        """Ends the input, and returns the status of the process."""
        self.process.stdin.close()
        return self.end()

    def end(self):
        status = self.process.wait(PATIENCE)
        self.process.stdin.close()
        for reader in self.readers:
            reader.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def record(pid, arrow, line):
    """Writes a line of a conversation into its file, if conversations are recorded."""
    recording = os.environ.get("HOST_RECORDING")
    if recording and len(line) < MOST_RECORDED:
        with open(f"{recording}-{pid}", "ab") as file:
            file.write(arrow.encode() + b" " + line)
