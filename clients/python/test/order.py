import os

from toolfleet import Toolfleet

fleet = Toolfleet(os.environ.get("TOOLFLEET_URL", "http://127.0.0.1:7072"))
step = fleet.agent(os.environ.get("RUN", "office-1"), "clerk").step("t1", "example")
stamp = step.call("press__stamp", {"word": "hello"}, id="call_1")
print(stamp.output())  # {'ran': 1, 'words': ['hello']}
order = step.call("press__print", {"pages": 3}, id="call_2")
print(order.result["status"])  # pending
fleet.complete(order.result["handle"], {"kind": "completed", "output": {"copies": 3}})
print(order.output())  # {'copies': 3}
