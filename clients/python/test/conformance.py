"""Runs ../../conformance/steps.json with this client, against the fleet of ../../conformance/fleet.js.

Usage: python3 conformance.py sync|asyncio
"""

import asyncio
import inspect
import json
import os
import re
import sys
import time
import urllib.request

from toolfleet import AsyncToolfleet, ProblemError, ToolCallError, Toolfleet

MODE = sys.argv[1]
URL = os.environ["TOOLFLEET_URL"]
FLEET = Toolfleet(URL, retry_for=180) if MODE == "sync" else AsyncToolfleet(URL, retry_for=180)
VARIABLES = {"run": os.environ["RUN"]}
KNOWN = {}


def filled(value):
    """Puts the values of variables in the places of ${name}."""
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+)\}", lambda match: VARIABLES[match[1]], value)
    if isinstance(value, list):
        return [filled(each) for each in value]
    if isinstance(value, dict):
        return {name: filled(each) for name, each in value.items()}
    return value


def fits(expected, value):
    """True if a value has all that is expected. Lists have the same length; objects may have more fields."""
    if isinstance(expected, list):
        return isinstance(value, list) and len(value) == len(expected) and all(map(fits, expected, value))
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(name in value and fits(each, value[name]) for name, each in expected.items())
    return isinstance(expected, bool) == isinstance(value, bool) and expected == value


async def now(value):
    return await value if inspect.isawaitable(value) else value


async def items(stream):
    """The items of a stream of either client."""
    if hasattr(stream, "__aiter__"):
        try:
            async for each in stream:
                yield each
        finally:
            await stream.aclose()
    else:
        try:
            for each in stream:
                yield each
        finally:
            stream.close()


async def taken(stream, enough):
    seen = []
    stream = items(stream)
    async for each in stream:
        seen.append(each)
        if enough(seen):
            break
    await stream.aclose()
    return seen


def agent_of(step):
    return FLEET.agent(step.get("instance") or step["agent"], "clerk")


def facts_of(step):
    return {name: step[name] for name in ("id", "idempotencyKey") if name in step}


async def kept(step, value):
    value = await now(value)
    if "as" in step:
        KNOWN[step["as"]] = value
    return value


class Steps:
    """What each word of the script does."""

    async def step(self, step):
        begun = await kept(step, agent_of(step).step(step["turnId"], step["stepId"], format=step.get("format")))
        return {"turnId": begun.turn_id, "stepId": begun.step_id, "tools": [tool["name"] for tool in begun.tools]}

    async def endStep(self, step):
        return await now(KNOWN[step["step"]].end())

    async def call(self, step):
        caller = KNOWN[step["step"]] if "step" in step else agent_of(step)
        return (await kept(step, caller.call(step["tool"], step["args"], **facts_of(step)))).result

    async def start(self, step):
        caller = KNOWN[step["step"]] if "step" in step else agent_of(step)
        await kept(step, caller.start(step["tool"], step["args"], **facts_of(step)))

    async def callAll(self, step):
        return [call.result for call in await now(KNOWN[step["step"]].call_all(step["calls"]))]

    async def state(self, step):
        return await now((KNOWN[step["call"]] if "call" in step else FLEET.call(step["id"])).state())

    async def events(self, step):
        seen = await taken(KNOWN[step["call"]].events(step.get("after")), lambda events: events[-1].event == step.get("until"))
        if "saveLast" in step:
            VARIABLES[step["saveLast"]] = seen[-1].id
        return [{"event": each.event, "data": each.data} for each in seen]

    async def answer(self, step):
        return await now(KNOWN[step["call"]].answer())

    async def final(self, step):
        return await now(KNOWN[step["call"]].final())

    async def output(self, step):
        return await now(KNOWN[step["call"]].output())

    async def cancel(self, step):
        return await now(KNOWN[step["call"]].cancel(step.get("reason")))

    async def complete(self, step):
        return await now(FLEET.complete(step["handle"], step["report"]))

    async def decide(self, step):
        return await now(FLEET.decide(step["handle"], step["decision"]))

    async def approvals(self, step):
        return (await now(FLEET.approvals(**step["query"])))["approvals"]

    async def calls(self, step):
        return (await now(FLEET.calls(**step["query"])))["calls"]

    async def readResults(self, step):
        return [each["result"] for each in (await now(FLEET.read_results(step["instance"], **step["query"])))["results"]]

    async def results(self, step):
        seen = await taken(FLEET.results(step["instance"]), lambda results: len(results) == step["count"])
        return [each.result for each in seen]

    async def session(self, step):
        return await now(agent_of(step).session())

    async def messages(self, step):
        return await now(agent_of(step).messages(**step["query"]))

    async def control(self, step):
        body = json.dumps(step.get("body", {})).encode()
        with urllib.request.urlopen(os.environ["CONTROL_URL"] + step["path"], body) as answer:
            return json.load(answer)


async def outcome(step):
    try:
        return {"value": await getattr(Steps(), step["do"])(step)}
    except ProblemError as e:
        return {"failed": {"error": "problem", "status": e.status, "code": e.code}}
    except ToolCallError as e:
        return {"failed": {"error": "tool", "code": e.code, "suggestion": e.suggestion}}


async def run(step):
    expected = {"failed": step["fails"]} if "fails" in step else {"value": step["expect"]} if "expect" in step else {}
    end = time.monotonic() + 60
    while True:
        got = await outcome(step)
        if fits(expected, got) and ("fails" in step or "failed" not in got):
            for name, field in step.get("save", {}).items():
                VARIABLES[name] = got["value"][field]
            return
        if not step.get("eventually") or time.monotonic() > end:
            raise AssertionError(f"{step['title']}: expected {json.dumps(expected)}, got {json.dumps(got, default=str)}")
        await asyncio.sleep(0.2)


async def main():
    with open(os.environ["STEPS"], encoding="utf-8") as file:
        steps = json.load(file)["steps"]
    for step in steps:
        try:
            await run(filled(step))
        except BaseException:
            print(f"python, {MODE}: not ok: {step['title']}", file=sys.stderr)
            raise
    if MODE == "asyncio":
        FLEET.close()
    print(f"python, {MODE}: {len(steps)} steps of the conformance script")


asyncio.run(main())
