"""Host of handlers in Python: speaks the host protocol, version 1 (docs/host-protocol.md), on the descriptors 3 (in)
and 4 (out). Python 3.11 or later, standard library only.

A module of handlers has a dict `handlers` that maps export names to functions of (context, input). An `async def` runs
on the event loop, any other function on a thread. It may have functions `reconcile`, `poll` and `cancel` as well.
"""
from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import enum
import functools
import importlib.util
import inspect
import json
import logging
import os
import re
import resource
import secrets
import select
import signal
import sys
import threading
import traceback
import types
import typing
from concurrent.futures import Future
from typing import Any

PROTOCOL = 1
MOST_IN_FLIGHT = 256
MOST_LOG_CHARACTERS = 8192
MOST_ERROR_CHARACTERS = 65536
MOST_NESTING = 400
MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024
BAD_REQUEST, UNKNOWN_METHOD, HANDLER_FAILED, LOAD_FAILED = -32602, -32601, -32000, -32001
EXIT_BROKEN = 70


# ------------------------------------------------------------------------------------------ what handlers may import

class ToolError(Exception):
    """Failure of a call with a code, and advice for the model."""

    def __init__(self, code: str, message: str, *, suggestion: str | None = None, help_url: str | None = None):
        super().__init__(message)
        self.code = code
        self.name = type(self).__name__
        self.suggestion = suggestion
        self.help_url = help_url


class Pending:
    """Result of a call whose work goes on elsewhere. Made by `pending`."""

    def __init__(self, fields: dict[str, Any]):
        self.fields = fields


def pending(handle: str, output: Any = None, *, token: str | None = None, silent_at_most: float | None = None,
            waiting_for: str | None = None) -> Pending:
    """Makes the result of a call that has started work: the work's handle, and the output until it ends.

    `silent_at_most` is the longest time in seconds without a report of the work.
    """
    silent = None if silent_at_most is None else round(silent_at_most * 1000)
    return Pending({"handle": handle, "output": output, "token": token, "silentAtMostMs": silent,
                    "waitingFor": waiting_for})


# ---------------------------------------------------------------------------------------------------------- output

class Output:
    """Writer of whole lines to descriptor 4, in order, from any thread. Never blocks its caller."""

    def __init__(self, descriptor: int):
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._backlog: collections.deque[bytes] = collections.deque()
        self._backlog_bytes = 0
        self._dropped = 0
        self._wanted = threading.Event()
        os.set_blocking(descriptor, False)
        threading.Thread(target=self._drain, name="host-output", daemon=True).start()

    def lines(self, data: bytes) -> None:
        """Writes lines, each with its end."""
        with self._lock:
            if not self._backlog:
                data = data[self._write(data):]
                if not data:
                    return
            self._backlog.append(data)
            self._backlog_bytes += len(data)
        self._wanted.set()

    def hint(self, message: dict[str, Any]) -> None:
        """Writes a line that is dropped when the worker does not keep up."""
        if self._backlog_bytes > MOST_UNWRITTEN_BYTES:
            self._dropped += 1
        else:
            self.lines(line_of(message))

    def empty(self) -> bool:
        with self._lock:
            return not self._backlog

    def _write(self, data: bytes | memoryview) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            return 0
        except OSError:
            os._exit(0)  # the worker is gone

    def _drain(self) -> None:
        while True:
            self._wanted.wait()
            while not self.empty():
                select.select([], [self._descriptor], [])
                self._write_backlog()
            self._wanted.clear()
            if not self.empty():
                self._wanted.set()
            dropped, self._dropped = self._dropped, 0
            if dropped:
                send_log("warn", f"{dropped} lines of log and progress dropped: the worker did not keep up", None)

    def _write_backlog(self) -> None:
        with self._lock:
            while self._backlog:
                data = self._backlog[0]
                written = self._write(memoryview(data)[:1 << 20])
                self._backlog_bytes -= written
                if written == len(data):
                    self._backlog.popleft()
                    continue
                self._backlog[0] = memoryview(data)[written:]
                if written < 1 << 20:
                    return


def line_of(message: dict[str, Any]) -> bytes:
    return utf8(json.dumps(message, ensure_ascii=False, separators=(",", ":"))) + b"\n"


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # half characters, which no UTF-8 text can hold
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most - 1] + "…"


def send_log(level: str, text: str, call: Any) -> None:
    params = {"level": level, "message": cut(text, MOST_LOG_CHARACTERS)}
    if call is not None:
        params["id"] = call
    host.output.hint({"jsonrpc": "2.0", "method": "log", "params": params})


# ---------------------------------------------------------------------------------------------------------- values

def invalid_result(message: str) -> ToolError:
    return ToolError("E_TOOL_RESULT_INVALID", message)


def encode_dataclass(value: Any) -> Any:
    """Returns the fields of a dataclass, the one kind of object that becomes JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"a {type(value).__name__} is no JSON value")


ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=encode_dataclass)


def json_of(value: Any) -> bytes:
    """Writes a value as JSON. Raises E_TOOL_RESULT_INVALID for a value that cannot be JSON, with its place."""
    try:
        text = ENCODER.encode(value)
    except (ValueError, TypeError, RecursionError, MemoryError) as failure:
        raise invalid_result(fault_of(value) or f"$: {failure}") from None
    if len(text) > 2 * MOST_NESTING and (is_deep(value) or LONG_NUMBER.search(text)) and (fault := fault_of(value)):
        raise invalid_result(fault)
    data = utf8(text)
    most = host.message_bytes - 256
    if len(data) > most:
        raise invalid_result(f"the output has {len(data)} bytes, at most {most} may be")
    return data


LONG_NUMBER = re.compile(r"\d{1000}")
SCALARS = {str, int, float, bool, type(None)}


def is_deep(value: Any) -> bool:
    """True if a value that is JSON is nested too deeply."""
    level = [value]
    for _ in range(MOST_NESTING):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below += [each for each in item.values() if type(each) not in SCALARS]
            elif isinstance(item, (list, tuple)):
                below += [each for each in item if type(each) not in SCALARS]
            elif dataclasses.is_dataclass(item):
                below += encode_dataclass(item).values()
        if not below:
            return False
        level = below
    return True


def fault_of(value: Any) -> str | None:
    """Returns the first place in a value that cannot be JSON, None if there is none."""
    places: list[str] = []
    try:
        fault = find_fault(value, places, set())
    except RecursionError:
        fault = f"nested deeper than {MOST_NESTING} levels"
    if fault is None:
        return None
    place = "$" + "".join(reversed(places))
    return f"{place if len(place) <= 200 else place[:120] + '…' + place[-60:]}: {fault}"


def find_fault(value: Any, places: list[str], within: set[int]) -> str | None:
    if value is None or isinstance(value, (str, bool)):
        return None
    if isinstance(value, int):
        return "a number of more than 1000 digits" if value.bit_length() > 3300 else None
    if isinstance(value, float):
        return None if value - value == 0 else f"{NUMBERS.get(repr(float(value)))} is no JSON value"
    if id(value) in within:
        return "the value contains itself"
    if len(within) >= MOST_NESTING:
        return f"nested deeper than {MOST_NESTING} levels"
    if isinstance(value, (list, tuple)):
        items = ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, dict):
        for key in value:
            if not isinstance(key, (str, int, float, bool, type(None))):
                return f"a {type(key).__name__} is no key of a JSON object"
        items = ((place_of(key), item) for key, item in value.items())
    else:
        try:
            items = ((place_of(key), item) for key, item in encode_dataclass(value).items())
        except TypeError as failure:
            return str(failure)
    within.add(id(value))
    for place, item in items:
        if fault := find_fault(item, places, within):
            places.append(place)
            return fault
    within.discard(id(value))
    return None


NUMBERS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def place_of(key: Any) -> str:
    return f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{json.dumps(key)}]"


def describe(thrown: BaseException) -> tuple[str, dict[str, str]]:
    """Returns the message of an exception, and its name, code, suggestion and help address where they are texts."""
    try:
        message = str(thrown)
    except Exception:  # an exception whose text cannot be made
        message = ""
    data = {"name": thrown.name if isinstance(thrown, ToolError) else type(thrown).__name__}
    for field, attribute in (("code", "code"), ("suggestion", "suggestion"), ("helpUrl", "help_url")):
        text = getattr(thrown, attribute, None)
        if isinstance(text, str):
            data[field] = cut(text, MOST_ERROR_CHARACTERS)
    return message or data["name"], data


# ---------------------------------------------------------------------------------------------------------- inputs

class InvalidInput(Exception):
    """Argument that does not fit its type."""


def invalid(place: str, wanted: str, value: Any) -> InvalidInput:
    return InvalidInput(f"{place}: {wanted} is wanted, {cut(json.dumps(value, ensure_ascii=False), 100)} was given")


def converter_of(handler: Any) -> Any:
    """Returns the type of a handler's second parameter, None if the input is passed as it is."""
    parameters = list(inspect.signature(handler).parameters.values())
    if len(parameters) < 2 or parameters[1].annotation is inspect.Parameter.empty:
        return None
    function = inspect.unwrap(handler)
    hints = typing.get_type_hints(function if hasattr(function, "__annotations__") else function.__call__,
                                  include_extras=False)
    wanted = hints.get(parameters[1].name)
    return wanted if dataclasses.is_dataclass(wanted) or typing.is_typeddict(wanted) else None


def convert(wanted: Any, value: Any, place: str) -> Any:
    """Makes a value of a type from JSON. Types that are not known here take the value as it is."""
    origin = typing.get_origin(wanted)
    if isinstance(wanted, typing.NewType):
        return convert(wanted.__supertype__, value, place)
    if origin in (typing.Annotated, typing.Required, typing.NotRequired, typing.Final):
        return convert(typing.get_args(wanted)[0], value, place)
    if origin in (typing.Union, types.UnionType):
        return convert_union(typing.get_args(wanted), value, place)
    if origin is typing.Literal:
        if not any(value == each and type(value) is type(each) for each in typing.get_args(wanted)):
            raise invalid(place, "one of " + ", ".join(json.dumps(each) for each in typing.get_args(wanted)), value)
        return value
    if dataclasses.is_dataclass(wanted):
        return convert_dataclass(wanted, value, place)
    if typing.is_typeddict(wanted):
        return convert_typed_dict(wanted, value, place)
    if origin in COLLECTIONS or wanted in COLLECTIONS:
        return convert_collection(origin or wanted, typing.get_args(wanted), value, place)
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        try:
            return wanted(value)
        except ValueError:
            raise invalid(place, "one of " + ", ".join(repr(each.value) for each in wanted), value) from None
    return convert_simple(wanted, value, place)


COLLECTIONS = (list, set, frozenset, tuple, dict, collections.abc.Sequence, collections.abc.Mapping)


def convert_simple(wanted: Any, value: Any, place: str) -> Any:
    if wanted is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if wanted is int and isinstance(value, float) and value.is_integer():
        return int(value)
    words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}
    if wanted is None:
        wanted = type(None)
    if wanted in words and (not isinstance(value, wanted) or wanted is int and isinstance(value, bool)):
        raise invalid(place, words[wanted], value)
    return value


def convert_union(choices: tuple[Any, ...], value: Any, place: str) -> Any:
    if value is None and type(None) in choices:
        return None
    choices = tuple(each for each in choices if each is not type(None))
    for each in choices:
        try:
            return convert(each, value, place)
        except InvalidInput as failure:
            first = failure
            if len(choices) == 1:
                raise
    raise invalid(place, "one of " + ", ".join(getattr(e, "__name__", str(e)) for e in choices), value) from first


def convert_dataclass(wanted: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise invalid(place, "an object", value)
    hints = hints_of(wanted)
    fields = {field.name: field for field in dataclasses.fields(wanted) if field.init}
    for name in value:
        if name not in fields:
            raise InvalidInput(f"{place}{place_of(name)}: there is no such field")
    given = {}
    for name, field in fields.items():
        if name in value:
            given[name] = convert(hints[name], value[name], f"{place}{place_of(name)}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise InvalidInput(f"{place}{place_of(name)}: the field is missing")
    try:
        return wanted(**given)
    except (ValueError, TypeError) as failure:  # a check of the class itself
        raise InvalidInput(f"{place}: {failure}") from failure


def convert_typed_dict(wanted: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise invalid(place, "an object", value)
    for name in wanted.__required_keys__:
        if name not in value:
            raise InvalidInput(f"{place}{place_of(name)}: the field is missing")
    hints = hints_of(wanted)
    return {name: convert(hints[name], item, f"{place}{place_of(name)}") if name in hints else item
            for name, item in value.items()}


def convert_collection(kind: Any, arguments: tuple[Any, ...], value: Any, place: str) -> Any:
    if kind in (dict, collections.abc.Mapping):
        if not isinstance(value, dict):
            raise invalid(place, "an object", value)
        item = arguments[1] if len(arguments) == 2 else Any
        return {key: convert(item, each, f"{place}{place_of(key)}") for key, each in value.items()}
    if not isinstance(value, list):
        raise invalid(place, "an array", value)
    if kind is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(value) != len(arguments):
            raise invalid(place, f"an array of {len(arguments)} items", value)
        return tuple(convert(arguments[i], each, f"{place}[{i}]") for i, each in enumerate(value))
    item = arguments[0] if arguments else Any
    items = [convert(item, each, f"{place}[{i}]") for i, each in enumerate(value)]
    return items if kind in (list, collections.abc.Sequence) else kind(items)


@functools.cache
def hints_of(wanted: Any) -> dict[str, Any]:
    return typing.get_type_hints(wanted)


# --------------------------------------------------------------------------------------------------------- context

class CallLog(logging.Handler):
    """Handler of logging that sends records to the worker's log."""

    LEVELS = ((logging.ERROR, "error"), (logging.WARNING, "warn"), (logging.INFO, "info"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            level = next((name for least, name in self.LEVELS if record.levelno >= least), "debug")
            send_log(level, self.format(record), getattr(record, "call_id", None))
        except Exception:
            self.handleError(record)


class Call:
    """Call at work: its cancellation, its task if it is asynchronous."""

    __slots__ = ("id", "cancelled", "reason", "task", "ended")

    def __init__(self, call_id: Any):
        self.id = call_id
        self.cancelled = threading.Event()
        self.reason: str | None = None
        self.task: asyncio.Task[Any] | None = None
        self.ended = False

    def cancel(self, reason: str) -> None:
        if self.reason is None:
            self.reason = reason
            self.cancelled.set()

    def cancel_task(self) -> None:
        if self.task is not None and not self.ended:
            self.task.cancel(self.reason)

    def progress(self, percent: float | None = None, message: str | None = None) -> None:
        if percent is not None and not 0 <= percent <= 100:
            raise ValueError(f"progress of {percent}: a number from 0 to 100 is wanted")
        if self.ended:
            return
        params: dict[str, Any] = {"id": self.id}
        if percent is not None:
            params["percent"] = percent
        if message is not None:
            params["message"] = cut(str(message), 1000)
        host.output.hint({"jsonrpc": "2.0", "method": "progress", "params": params})

    def service(self, name: str, params: dict[str, Any]) -> Any:
        """Sends a service request, and returns the future of its answer (a `concurrent.futures.Future`)."""
        if self.ended:
            raise RuntimeError(f"{name}: the call has ended")
        return host.request(self.id, name, {key: item for key, item in params.items() if item is not None})


class Runtime:
    """Way of a plain function to other agents. Each method blocks until the answer is there."""

    def __init__(self, call: Call):
        self._call = call

    def _ask(self, name: str, **params: Any) -> Any:
        return self._call.service(name, params).result()

    def request(self, target: str, event: dict[str, Any], *, timeout: float | None = None) -> Any:
        timeout_ms = None if timeout is None else round(timeout * 1000)
        return self._ask("runtime.request", target=target, event=event, timeoutMs=timeout_ms)

    def send(self, target: str, event: dict[str, Any]) -> Any:
        return self._ask("runtime.send", target=target, event=event)

    def spawn(self, target: str, *, instance_key: str | None = None, cwd: str | None = None) -> Any:
        return self._ask("runtime.spawn", target=target, instanceKey=instance_key, cwd=cwd)

    def list(self, *, include_all: bool = False) -> Any:
        return self._ask("runtime.list", includeAll=include_all)

    def catalog(self) -> Any:
        return self._ask("runtime.catalog")


class AsyncRuntime(Runtime):
    """Way of an `async def` to other agents: the same methods, each to be awaited."""

    def _ask(self, name: str, **params: Any) -> Any:
        return asyncio.wrap_future(self._call.service(name, params), loop=host.loop)


class Context:
    """First argument of a handler."""

    def __init__(self, call: Call, tool: Tool, export: str, given: dict[str, Any], asynchronous: bool):
        self._call = call
        self._given = given
        self._asynchronous = asynchronous
        self.tool_name = tool.name
        self.export_name = export
        self.config = tool.config
        self.cancelled = call.cancelled

    def __getattr__(self, name: str) -> Any:
        if name in CONTEXT_FIELDS:
            return self._given.get(CONTEXT_FIELDS[name])
        raise AttributeError(name)

    @property
    def deadline(self) -> datetime.datetime:
        return instant_of(self._given["deadline"])

    @property
    def caller(self) -> dict[str, str]:
        return self._given.get("caller") or {}

    @functools.cached_property
    def logger(self) -> logging.LoggerAdapter[logging.Logger]:
        return logger_of(self._call.id)

    @functools.cached_property
    def runtime(self) -> Runtime | None:
        if self._given.get("runtime") is not True:
            return None
        return (AsyncRuntime if self._asynchronous else Runtime)(self._call)

    def authorized(self, *scopes: str, min_ttl: float | None = None) -> Any:
        answer = self._call.service("oauth.token", {
            "scopes": list(scopes), "minTtlMs": None if min_ttl is None else round(min_ttl * 1000)})
        return asyncio.wrap_future(answer, loop=host.loop) if self._asynchronous else answer.result()

    def progress(self, percent: float | None = None, message: str | None = None) -> None:
        self._call.progress(percent, message)

    def new_handle(self) -> str:
        return "h_" + secrets.token_urlsafe(24)


class AsyncContext(Context):
    """First argument of an `async def`: a Context whose runtime's methods are awaited. For annotations."""


CONTEXT_FIELDS = {"agent_name": "agentName", "instance_key": "instanceKey", "turn_id": "turnId", "step_id": "stepId",
                  "trace_id": "traceId", "tool_call_id": "toolCallId", "message": "message", "workdir": "workdir",
                  "attempt": "attempt", "idempotency_key": "idempotencyKey", "fencing_token": "fencingToken"}


class Work:
    """Argument of `poll` and `cancel`: work behind a handle."""

    def __init__(self, call: Call, tool: Tool, export: str, given: dict[str, Any]):
        self.tool_name = tool.name
        self.export_name = export
        self.config = tool.config
        self.cancelled = call.cancelled
        self.logger = logger_of(call.id)
        self.handle = given.get("handle")
        self.input = given.get("input")
        self.output = given.get("output")
        self.instance_key = given.get("instanceKey")
        self.agent_name = given.get("agentName")
        self.tool_call_id = given.get("toolCallId")
        self.started_at = instant_of(given.get("startedAt"))
        self.deadline = instant_of(given.get("deadline"))


def instant_of(text: str | None) -> Any:
    return None if text is None else datetime.datetime.fromisoformat(text)


def logger_of(call_id: Any) -> logging.LoggerAdapter[logging.Logger]:
    return logging.LoggerAdapter(logging.getLogger("toolfleet"), {"call_id": call_id})


# --------------------------------------------------------------------------------------------------------- loading

class Tool:
    """Loaded Tool: its handlers with the types of their inputs, and its module."""

    def __init__(self, name: str, module: types.ModuleType, config: dict[str, Any], exports: list[str]):
        found = getattr(module, "handlers", None)
        if not isinstance(found, dict):
            raise LoadError(f"{relative(module.__file__)} has no dict 'handlers'")
        self.name = name
        self.config = config
        self.handlers = {key: handler for key, handler in found.items() if isinstance(key, str) and callable(handler)}
        for export in exports:
            if export in found and export not in self.handlers:
                raise LoadError(f"handlers[{export!r}] is no function")
        self.inputs = {key: converter_of(handler) for key, handler in self.handlers.items()}
        self.asynchronous = {key: is_async(handler) for key, handler in self.handlers.items()}
        self.functions = {key: function for key in ("reconcile", "poll", "cancel")
                          if callable(function := getattr(module, key, None))}


class LoadError(Exception):
    """Failure to load a module that the host itself found."""


def is_async(function: Any) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))


def root() -> str:
    return os.environ.get("TOOLFLEET_HOST_ROOT", "/")


def relative(file: str) -> str:
    return os.path.relpath(file, root())


@functools.cache
def module_of(file: str) -> types.ModuleType:
    """Imports a file once. The folder of the file and the bundle's root come first on the path."""
    if not os.path.isfile(file):
        raise LoadError(f"{relative(file)} does not exist")
    for folder in (root(), os.path.dirname(file)):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    stem = re.sub(r"\W", "_", relative(file))
    spec = importlib.util.spec_from_file_location(f"toolfleet_tool_{stem}", file)
    if spec is None or spec.loader is None:
        raise LoadError(f"{relative(file)} is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module


def headline(failure: BaseException) -> str:
    """Returns the first line about a failed load: place in the bundle, name and message."""
    if isinstance(failure, LoadError):
        return str(failure)
    if isinstance(failure, SyntaxError) and failure.filename:
        return f"{relative(failure.filename)}:{failure.lineno}: {type(failure).__name__}: {failure.msg}"
    what = f"{type(failure).__name__}: {failure}".split("\n")[0]
    for frame in reversed(traceback.extract_tb(failure.__traceback__)):
        if not relative(frame.filename).startswith(".."):
            return f"{relative(frame.filename)}:{frame.lineno}: {what}"
    return what


# ------------------------------------------------------------------------------------------------------------ host

class Pool:
    """Threads for plain functions. One that has ended a call takes the next itself: a call without waits costs no
    change of threads. At most one woken thread looks for a call at a time; it wakes the next when it has found one."""

    def __init__(self, most: int):
        self._most = most
        self._lock = threading.Lock()
        self._tasks: collections.deque[tuple[Any, ...]] = collections.deque()
        self._idle: list[Any] = []
        self._looking = 0
        self._threads = 0

    def submit(self, function: Any, *arguments: Any) -> None:
        with self._lock:
            self._tasks.append((function, *arguments))
            if self._looking == 0:
                self._wake()

    def idle(self) -> bool:
        """True if no call waits for a thread."""
        return not self._tasks

    def _wake(self) -> None:
        if self._idle:
            self._idle.pop().release()
        elif self._threads < self._most:
            self._threads += 1
            threading.Thread(target=self._work, name=f"handler-{self._threads}", daemon=True).start()
        else:
            return
        self._looking += 1

    def _work(self) -> None:
        turn = threading.Lock()
        turn.acquire()
        looking = True
        while True:
            with self._lock:
                if looking:
                    self._looking -= 1
                looking = not self._tasks
                if looking:
                    self._idle.append(turn)
                else:
                    function, *arguments = self._tasks.popleft()
                    if self._tasks and self._looking == 0:
                        self._wake()
            if looking:
                turn.acquire()
            else:
                function(*arguments)


class Host:
    """The process: reads requests on its own thread, runs them on the event loop and on threads."""

    def __init__(self) -> None:
        self.message_bytes = 4 * 1024 * 1024
        self.in_flight = 64
        self.tools: dict[str, Tool] = {}
        self.calls: dict[Any, Call] = {}
        self.requests: dict[str, Any] = {}
        self.request_count = 0
        self.draining = False
        self.for_loop: list[tuple[Any, ...]] = []
        self.unflushed: collections.deque[bytes] = collections.deque()
        self.flushing = False
        self.lag_expected = 0.0
        self.lag_most = 0.0

    def main(self) -> None:
        sys.dont_write_bytecode = True  # the bundle's folder stays as its digests say
        os.set_inheritable(3, False)
        os.set_inheritable(4, False)
        memory = os.environ.get("TOOLFLEET_HOST_MEMORY")
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
        # A terminal or a service manager signals all processes at once, and the worker finishes its calls first.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        threading.stack_size(1 << 20)  # stacks count as memory
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
        logging.basicConfig(level=logging.DEBUG, handlers=[CallLog()], format="%(message)s")
        for noisy in ("asyncio", "concurrent.futures"):
            logging.getLogger(noisy).setLevel(logging.WARNING)
        self.output = Output(4)
        self.pool = Pool(MOST_IN_FLIGHT + 32)
        self.loader = Pool(1)
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.loop.call_soon(self.tick)
        threading.Thread(target=self.read, name="host-input", daemon=True).start()
        self.loop.run_forever()

    # -- input

    def read(self) -> None:
        """Reads lines until the end of the input, which ends the process whatever runs."""
        parts: list[bytes] = []
        try:
            while chunk := os.read(3, 1 << 18):
                end = chunk.rfind(b"\n")
                if end < 0:
                    parts.append(chunk)
                    continue
                parts.append(chunk[:end])
                lines = b"".join(parts).split(b"\n")
                parts = [chunk[end + 1:]] if end + 1 < len(chunk) else []
                self.take_all(lines)
        finally:
            os._exit(0)

    def take_all(self, lines: list[bytes]) -> None:
        """Takes lines on the thread of the input: work of the event loop is handed over together."""
        for line in lines:
            if line:
                self.take(line)
        if self.for_loop:
            work, self.for_loop = self.for_loop, []
            self.loop.call_soon_threadsafe(run_all, work)

    def on_loop(self, function: Any, *arguments: Any) -> None:
        self.for_loop.append((function, *arguments))

    def take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
            method = message.get("method")
        except (ValueError, AttributeError, RecursionError):
            print("host: a line of the worker is no JSON object:", line[:200], file=sys.stderr)
            return
        request, params = message.get("id"), message.get("params") or {}
        if method is None:
            self.take_answer(message)
        elif request is None:
            if method == "cancel" and (call := self.calls.get(params.get("id"))):
                call.cancel(params.get("reason", "cancelled"))
                self.on_loop(call.cancel_task)
            elif method == "drain":
                self.draining = True
                self.on_loop(self.finish_drain)
        elif function := METHODS.get(method):
            try:
                function(self, request, params)
            except Exception as failure:  # a request that does not fit the protocol
                traceback.print_exc()
                self.refuse(request, BAD_REQUEST, f"{type(failure).__name__}: {failure}")
        else:
            self.refuse(request, UNKNOWN_METHOD, f"unknown method '{method}'")

    def take_answer(self, message: dict[str, Any]) -> None:
        future = self.requests.pop(message.get("id"), None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "error" not in message:
            future.set_result(message.get("result"))
            return
        error = message["error"]
        data = error.get("data") or {}
        failure = ToolError(data.get("code") or "E_TOOL", error.get("message", ""),
                            suggestion=data.get("suggestion"), help_url=data.get("helpUrl"))
        failure.name = data.get("name") or failure.name
        future.set_exception(failure)

    # -- output

    def reply(self, line: bytes) -> None:
        """Answers. Lines that end in one turn of the event loop, or while calls wait for a thread, go out together."""
        self.unflushed.append(line)
        if threading.get_ident() != LOOP_THREAD and self.pool.idle():
            self.flush()
        elif not self.flushing:
            self.flushing = True
            self.loop.call_soon_threadsafe(self.flush)

    def flush(self) -> None:
        with FLUSH_LOCK:
            self.flushing = False
            lines = []
            while self.unflushed:
                lines.append(self.unflushed.popleft())
            if lines:
                self.output.lines(b"".join(lines))

    def answer(self, request: Any, result: Any) -> None:
        self.reply(line_of({"jsonrpc": "2.0", "id": request, "result": result}))

    def refuse(self, request: Any, code: int, message: str, data: Any = None) -> None:
        error = {"code": code, "message": cut(message, MOST_ERROR_CHARACTERS)}
        if data is not None:
            error["data"] = data
        self.reply(line_of({"jsonrpc": "2.0", "id": request, "error": error}))

    def fail(self, request: Any, thrown: BaseException) -> None:
        message, data = describe(thrown)
        self.refuse(request, HANDLER_FAILED, message, data)

    def request(self, call: Any, name: str, params: dict[str, Any]) -> Any:
        future: Future[Any] = Future()
        params_json = json_of(params)
        with REQUEST_LOCK:
            self.request_count += 1
            request = f"s{self.request_count}"
        self.requests[request] = future
        self.output.lines(b'{"jsonrpc":"2.0","id":"%s","method":"service","params":{"id":%s,"name":"%s","params":%s}}\n'
                          % (request.encode(), json.dumps(call).encode(), name.encode(), params_json))
        return future

    # -- requests

    def hello(self, request: Any, params: dict[str, Any]) -> None:
        limits = params.get("limits") or {}
        self.message_bytes = limits.get("messageBytes", self.message_bytes)
        self.in_flight = min(limits.get("inFlight", self.in_flight), MOST_IN_FLIGHT)
        self.answer(request, {"protocol": PROTOCOL, "language": "python",
                              "version": ".".join(map(str, sys.version_info[:3])), "inFlight": self.in_flight})

    def load(self, request: Any, params: dict[str, Any]) -> None:
        self.loader.submit(self.load_now, request, params)

    def load_now(self, request: Any, params: dict[str, Any]) -> None:
        try:
            tool = Tool(params["tool"], module_of(params["file"]), params.get("config") or {},
                        params.get("exports") or [])
        except BaseException as failure:  # sys.exit() in a module as well
            stack = "".join(traceback.format_exception(failure))
            self.refuse(request, LOAD_FAILED, headline(failure), {"stack": cut(stack, MOST_ERROR_CHARACTERS)})
            return
        self.tools[tool.name] = tool
        self.answer(request, {"handlers": list(tool.handlers),
                              **{name: name in tool.functions for name in ("reconcile", "poll", "cancel")}})

    def invoke(self, request: Any, params: dict[str, Any]) -> None:
        if (tool := self.tool_of(request, params)) is None:
            return
        export = params["export"]
        handler = tool.handlers.get(export)
        if handler is None:
            self.refuse(request, BAD_REQUEST, f"the Tool '{tool.name}' has no handler '{export}'")
            return
        call, given = Call(request), params.get("input") or {}
        if (wanted := tool.inputs[export]) is not None:
            try:
                given = convert(wanted, given, "$")
            except InvalidInput as failure:
                self.refuse(request, HANDLER_FAILED, str(failure),
                            {"name": "InvalidInput", "code": "E_TOOL_INVALID_ARGS"})
                return
        asynchronous = tool.asynchronous[export]
        context = Context(call, tool, export, params.get("context") or {}, asynchronous)
        self.start(call, handler, (context, given), asynchronous, invoked)

    def reconcile(self, request: Any, params: dict[str, Any]) -> None:
        def arguments(call: Call, tool: Tool, asynchronous: bool) -> tuple[Any, ...]:
            context = Context(call, tool, params["export"], params.get("context") or {}, asynchronous)
            return context, params.get("input") or {}

        self.start_function(request, params, "reconcile", arguments, reconciled)

    def poll(self, request: Any, params: dict[str, Any]) -> None:
        self.start_function(request, params, "poll", lambda call, tool, _: work(call, tool, params), polled)

    def cancel_work(self, request: Any, params: dict[str, Any]) -> None:
        self.start_function(request, params, "cancel", lambda call, tool, _: work(call, tool, params), lambda _: b"{}")

    def ping(self, request: Any, params: dict[str, Any]) -> None:
        self.on_loop(self.pong, request)

    def pong(self, request: Any) -> None:
        late = max(self.lag_most, self.loop.time() - self.lag_expected, 0.0)
        self.lag_most = 0.0
        with open("/proc/self/statm", encoding="ascii") as statm:
            pages = int(statm.read().split()[1])
        self.answer(request, {"eventLoopLagMs": round(late * 1000), "rss": pages * resource.getpagesize(),
                              "inFlight": len(self.calls)})

    def tick(self) -> None:
        """Notes the longest delay of the event loop since the last ping."""
        if self.lag_expected:
            self.lag_most = max(self.lag_most, self.loop.time() - self.lag_expected)
        self.lag_expected = self.loop.time() + 1
        self.loop.call_later(1, self.tick)

    def tool_of(self, request: Any, params: dict[str, Any]) -> Tool | None:
        tool = self.tools.get(params["tool"])
        if tool is None:
            self.refuse(request, BAD_REQUEST, f"the Tool '{params['tool']}' is not loaded")
        return tool

    # -- calls

    def start_function(self, request: Any, params: dict[str, Any], name: str, arguments: Any, write: Any) -> None:
        if (tool := self.tool_of(request, params)) is None:
            return
        function = tool.functions.get(name)
        if function is None:
            self.refuse(request, UNKNOWN_METHOD, f"the module of the Tool '{tool.name}' has no function '{name}'")
            return
        call, asynchronous = Call(request), is_async(function)
        self.start(call, function, arguments(call, tool, asynchronous), asynchronous, write)

    def start(self, call: Call, function: Any, arguments: tuple[Any, ...], asynchronous: bool, write: Any) -> None:
        self.calls[call.id] = call
        if asynchronous:
            self.on_loop(self.start_task, call, function, arguments, write)
        else:
            self.pool.submit(self.run, call, function, arguments, write)

    def start_task(self, call: Call, function: Any, arguments: tuple[Any, ...], write: Any) -> None:
        call.task = self.loop.create_task(self.run_async(call, function, arguments, write))

    async def run_async(self, call: Call, function: Any, arguments: tuple[Any, ...], write: Any) -> None:
        try:
            value = await function(*arguments)
        except asyncio.CancelledError:
            self.end(call, cancelled_error(call), None, write)
        except BaseException as thrown:
            self.end(call, thrown, None, write)
        else:
            self.end(call, None, value, write)

    def run(self, call: Call, function: Any, arguments: tuple[Any, ...], write: Any) -> None:
        try:
            value = function(*arguments)
            if inspect.isawaitable(value):  # a plain function that returns a coroutine
                self.loop.call_soon_threadsafe(self.go_on, call, value, write)
                return
        except BaseException as thrown:
            self.end(call, thrown, None, write)
        else:
            self.end(call, None, value, write)

    def go_on(self, call: Call, awaitable: Any, write: Any) -> None:
        async def rest() -> Any:
            return await awaitable

        self.start_task(call, rest, (), write)

    def end(self, call: Call, thrown: BaseException | None, value: Any, write: Any) -> None:
        call.ended = True
        self.calls.pop(call.id, None)
        if isinstance(thrown, SystemExit):
            self.leave(thrown)
        try:
            if thrown is not None:
                self.fail(call.id, thrown)
            else:
                self.reply(b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (call.id, write(value)))
        except BaseException as failure:
            self.fail(call.id, failure)
        if self.draining:
            self.loop.call_soon_threadsafe(self.finish_drain)

    def leave(self, thrown: SystemExit) -> None:
        """Ends the process for `sys.exit()` of a handler, as in a program of its own."""
        code = thrown.code if isinstance(thrown.code, int) else 0 if thrown.code is None else 1
        if not isinstance(thrown.code, (int, type(None))):
            print(thrown.code, file=sys.stderr)
        os._exit(code & 0xFF)

    def finish_drain(self) -> None:
        if self.draining and not self.calls:
            self.flush()
            if self.output.empty():
                os._exit(0)
            self.loop.call_later(0.01, self.finish_drain)


def run_all(work: list[tuple[Any, ...]]) -> None:
    for function, *arguments in work:
        function(*arguments)


def cancelled_error(call: Call) -> BaseException:
    if call.reason == "deadline":
        return ToolError("E_TOOL_TIMEOUT", "the deadline has passed")
    return ToolError("E_TOOL_CANCELLED", "the call was cancelled")


def work(call: Call, tool: Tool, params: dict[str, Any]) -> tuple[Any, ...]:
    return (Work(call, tool, params["export"], params.get("work") or {}),)


def invoked(value: Any) -> bytes:
    if isinstance(value, Pending):
        fields = value.fields
    elif isinstance(value, dict) and value.get("__async") is True:
        rest = {key: item for key, item in value.items() if key not in ("__async", "handle")}
        fields = {"handle": value.get("handle"), "output": rest or None}
    else:
        return b'{"output":%s}' % json_of(value)
    if not isinstance(fields["handle"], str) or not fields["handle"].strip():
        raise invalid_result("$.handle: a pending result needs a handle that is a text and not empty")
    return b'{"pending":%s}' % json_of({key: item for key, item in fields.items() if item is not None})


def reconciled(value: Any) -> bytes:
    verdict = {"verdict": value or "unknown"} if value is None or isinstance(value, str) else value
    kind = verdict.get("verdict") if isinstance(verdict, dict) else None
    if kind not in ("happened", "didNotHappen", "unknown"):
        raise invalid_result("reconcile must return {'verdict': 'happened', 'didNotHappen' or 'unknown'}")
    return json_of({"verdict": kind, "output": verdict.get("output")} if kind == "happened" else {"verdict": kind})


def polled(value: Any) -> bytes:
    state = value.get("state") if isinstance(value, dict) else None
    if state not in ("running", "completed", "failed"):
        raise invalid_result("poll must return {'state': 'running', 'completed' or 'failed'}")
    if state == "completed":
        return json_of({"state": state, "output": value.get("output")})
    if state == "running":
        return json_of({key: value[key] for key in ("state", "percent", "message") if value.get(key) is not None})
    error = value.get("error")
    if not isinstance(error, dict):
        message, data = describe(error) if isinstance(error, BaseException) else (str(error or "the work failed"), {})
        error = {"message": message, **data}
    fields = ("code", "message", "name", "suggestion", "helpUrl")
    return json_of({"state": state, "error": {key: error[key] for key in fields if isinstance(error.get(key), str)}})


METHODS = {"hello": Host.hello, "load": Host.load, "invoke": Host.invoke, "reconcile": Host.reconcile,
           "poll": Host.poll, "cancelWork": Host.cancel_work, "ping": Host.ping}
LOOP_THREAD = threading.get_ident()
REQUEST_LOCK = threading.Lock()
FLUSH_LOCK = threading.Lock()
host = Host()
sys.modules.setdefault("toolfleet_host", sys.modules[__name__])

if __name__ == "__main__":
    host.main()
