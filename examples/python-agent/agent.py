"""An agent whose tools are those of a fleet: python3 agent.py GATEWAY INSTANCE"""

import itertools
import sys

import model
from toolfleet import Toolfleet

fleet = Toolfleet(sys.argv[1])
clerk = fleet.agent(sys.argv[2], "clerk")
messages = []
waiting = []


def turn(turn_id, content):
    """Runs the model until it has no more calls, and prints what it does."""
    print(f"> {content}")
    messages.append({"role": "user", "content": content})
    for number in itertools.count():
        step = clerk.step(turn_id, f"{turn_id}-{number}", stepIndex=number)
        answer = model.answer(messages, step.tools)
        messages.append({"role": "assistant", **answer})
        if "text" in answer:
            print(f"clerk: {answer['text']}")
            return
        made = step.call_all(answer["calls"])
        messages.append({"role": "tool", "results": [call.result for call in made]})
        for call in made:
            result = call.result
            shown = {"ok": result.get("output"), "error": result.get("error", {}).get("code"), "pending": "pending"}[result["status"]]
            print(f"  {result['toolCallId']} {result['toolName']} {shown}")
            if result["status"] == "pending":
                waiting.append(call)


def print_shop(handle):
    """A program elsewhere, which reports on its work by the handle of the pending call."""
    fleet.complete(handle, {"kind": "progress", "progress": {"percent": 40, "message": "printing"}})
    yield
    fleet.complete(handle, {"kind": "completed", "output": {"copies": 30}})
    yield


def person(handle):
    """A person who looks at the payment."""
    question = fleet.approvals(instance=clerk.instance_key)["approvals"][0]
    print(f"  ann reads: {question['toolName']} {question['arguments']}: {question['reason']}")
    fleet.decide(handle, {"decision": "approve", "by": "ann"})
    yield


turn("t1", "I need 30 pages printed.")
# The final result of a call that was pending is the news of a later turn.
for number, call in enumerate(waiting, 2):
    elsewhere = {"shop__print": print_shop, "shop__pay": person}[call.result["toolName"]](call.result["handle"])
    for event in call.events():
        if event.event == "progress":
            print(f"  {event.data['progress']['percent']:g} % {event.data['progress']['message']}")
        # Others need not wait for the agent; here they do, so that this prints the same each time.
        if event.event in ("pending", "progress"):
            next(elsewhere, None)
    turn(f"t{number}", f"{call.result['toolName']} has ended: {call.output()}")
