"""Handlers that do one thing each for test_host.py."""
import asyncio
import dataclasses
import enum
import logging
import sys
from typing import Literal, NotRequired, TypedDict

import helper
from toolfleet_host import ToolError, pending


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Item:
    price: float
    count: int = 1


@dataclasses.dataclass
class Order:
    name: str
    items: list[Item]
    colour: Colour = Colour.RED
    size: Literal["s", "l"] = "s"
    note: str | None = None
    extras: dict[str, Item] = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        if not self.name:
            raise ValueError("a name is wanted")


class Search(TypedDict):
    limit: int
    words: NotRequired[list[str]]


def order(ctx, input: Order):
    assert isinstance(input.items[0], Item) and isinstance(input.colour, Colour)
    return {"total": sum(item.price * item.count for item in input.items), "items": input.items, "note": input.note}


def search(ctx, input: Search):
    return input


def context(ctx, input):
    return {"agent": ctx.agent_name, "instance": ctx.instance_key, "turn": ctx.turn_id, "step": ctx.step_id,
            "trace": ctx.trace_id, "call": ctx.tool_call_id, "tool": ctx.tool_name, "export": ctx.export_name,
            "config": ctx.config, "caller": ctx.caller, "message": ctx.message["id"], "workdir": ctx.workdir,
            "deadline": ctx.deadline.isoformat(), "attempt": ctx.attempt, "key": ctx.idempotency_key,
            "fence": ctx.fencing_token, "runtime": type(ctx.runtime).__name__, "helper": helper.answer(),
            "handles": ctx.new_handle() != ctx.new_handle()}


async def echo_later(ctx, input):
    await asyncio.sleep(0)
    return input


def cyclic(ctx, input):
    value = {"list": []}
    value["list"].append(value)
    return value


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def coded(ctx, input):
    raise ToolError("E_WRONG", "wrong", suggestion="right", help_url="https://help")


def until_cancelled(ctx, input):
    ctx.cancelled.wait()
    return "woken"


async def sleep(ctx, input):
    await asyncio.sleep(1000)


async def catch(ctx, input):
    try:
        await asyncio.sleep(1000)
    except asyncio.CancelledError:
        return {"cancelled": ctx.cancelled.is_set()}


def progress(ctx, input):
    ctx.progress(50, "half")
    ctx.progress(message="more")


def logs(ctx, input):
    ctx.logger.info("%d of", 1)
    ctx.logger.warning("careful")
    ctx.logger.debug("detail")
    try:
        1 / 0
    except ZeroDivisionError:
        ctx.logger.exception("wrong")
    logging.getLogger("library").info("from a library")
    ctx.logger.info("z" * 10_000)
    print("a print")


def services(ctx, input):
    return {"request": ctx.runtime.request("coder", {"input": "hi"}, timeout=0.005),
            "send": ctx.runtime.send("coder", {"name": "news"}), "spawn": ctx.runtime.spawn("coder", cwd="/src"),
            "list": ctx.runtime.list(include_all=True), "catalog": ctx.runtime.catalog()}


async def services_later(ctx, input):
    return await asyncio.gather(ctx.runtime.request("coder", {"input": "hi"}), ctx.runtime.list())


def refused(ctx, input):
    try:
        ctx.runtime.send("nobody", {})
    except ToolError as failure:
        return [failure.name, failure.code, failure.suggestion, str(failure)]


async def refused_later(ctx, input):
    await ctx.runtime.send("nobody", {})


def compute(ctx, input):
    while True:
        pass


async def compute_on_the_loop(ctx, input):
    while True:
        pass


def memory(ctx, input):
    return len(bytearray(400_000_000))


def leave(ctx, input):
    sys.exit(3)


async def time_out(ctx, input):
    async with asyncio.timeout(0.001):
        await asyncio.sleep(1000)


def wait_for_work(ctx, input):
    return pending("b-1", {"message": "begun"}, token="secret", silent_at_most=2, waiting_for="ci")


handlers = {
    "calc.add": lambda ctx, input: input["a"] + input["b"],
    "echo": lambda ctx, input: input,
    "echoLater": echo_later,
    "awaitable": lambda ctx, input: echo_later(ctx, input),
    "order": order,
    "search": search,
    "context": context,
    "nothing": lambda ctx, input: None,
    "dataclass": lambda ctx, input: Item(1.5),
    "notANumber": lambda ctx, input: {"items": [1, {"price": float("nan")}]},
    "infinite": lambda ctx, input: {"a-b": float("-inf")},
    "set": lambda ctx, input: {"a": {1}},
    "bytes": lambda ctx, input: b"x",
    "object": lambda ctx, input: [object()],
    "key": lambda ctx, input: {(1, 2): 3},
    "digits": lambda ctx, input: 10**2000,
    "moreDigits": lambda ctx, input: 10**5000,
    "cyclic": cyclic,
    "deep": lambda ctx, input: nested(450),
    "deepest": lambda ctx, input: nested(100_000),
    "long": lambda ctx, input: "x" * 5_000_000,
    "large": lambda ctx, input: "y" * 1_000_000,
    "half": lambda ctx, input: "a\ud800\u2028\n",
    "coded": coded,
    "raised": lambda ctx, input: {}["absent"],
    "pending": wait_for_work,
    "async": lambda ctx, input: {"__async": True, "handle": "b-2", "message": "빌드"},
    "noHandle": lambda ctx, input: {"__async": True, "handle": ""},
    "untilCancelled": until_cancelled,
    "sleep": sleep,
    "catch": catch,
    "progress": progress,
    "wrongProgress": lambda ctx, input: ctx.progress(101),
    "logs": logs,
    "services": services,
    "servicesLater": services_later,
    "refused": refused,
    "refusedLater": refused_later,
    "compute": compute,
    "computeOnTheLoop": compute_on_the_loop,
    "memory": memory,
    "leave": leave,
    "timeOut": time_out,
}


def reconcile(ctx, input):
    return {"verdict": "happened", "output": ctx.attempt} if input.get("happened") else input.get("verdict")


async def poll(work):
    return {"running": {"state": "running", "percent": 5, "message": "slow"},
            "completed": {"state": "completed", "output": work.input},
            "failed": {"state": "failed", "error": ToolError("E_OVEN", "burnt")}}[work.handle]


def cancel(work):
    work.logger.info("stopped %s", work.handle)
