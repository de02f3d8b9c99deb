"""An agent runtime in Python: announces a step, reads its catalog, calls tools, reads their results.

Usage: client.py HOST:PORT INSTANCE. Needs confluent-kafka, which places keys by CRC32, unlike Kafka's Java client: the
fleet follows partition numbers, so any partitioner will do that sends one instance's steps and calls to one partition.
"""
import json
import sys
import time

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

BOOTSTRAP, INSTANCE = sys.argv[1:3]
STEP = {"instanceKey": INSTANCE, "agentName": "porter", "turnId": "turn-1", "stepId": f"step-{time.time_ns()}"}

producer = Producer({"bootstrap.servers": BOOTSTRAP, "enable.idempotence": True})
# No group: results are not shared out among members, each client reads its own. read_committed: a result counts once
# its transaction is committed. (The client library asks for a group's name; nothing joins it.)
reader = Consumer({"bootstrap.servers": BOOTSTRAP, "group.id": "none", "enable.auto.commit": False,
                   "isolation.level": "read_committed"})


def ends(topic):
    """Where each partition of a topic ends now."""
    partitions = reader.list_topics(topic, timeout=10).topics[topic].partitions
    return {p: reader.get_watermark_offsets(TopicPartition(topic, p), timeout=10)[1] for p in partitions}


def send(topic, record):
    """Writes a record by its instance's key and returns the partition and offset that it got."""
    reports = []
    producer.produce(topic, key=INSTANCE, value=json.dumps(record), on_delivery=lambda *report: reports.append(report))
    producer.flush(10)
    error, message = reports[0] if reports else ("not delivered within 10 s", None)
    if error:
        sys.exit(f"cannot write to {topic}: {error}")
    return message.partition(), message.offset()


def read(topic, partition, offset, seconds=30):
    """The records of a partition from an offset on, until the time is over."""
    reader.assign([TopicPartition(topic, partition, offset)])
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        message = reader.poll(0.2)
        if message and not message.error() and message.value() is not None:
            yield message, json.loads(message.value())
    sys.exit(f"nothing more on {topic}-{partition} within {seconds} s")


# 1. Announce the step, and remember where its answers will begin.
catalogs, results = ends("tool.catalog.step"), ends("tool.result")
partition, _ = send("agent.step", {"type": "started", **STEP})

# 2. Its catalog comes in the step's partition, and names its content by digest. (A real client keeps contents.)
catalog = next(c for _, c in read("tool.catalog.step", partition, catalogs[partition])
               if c["instanceKey"] == INSTANCE and c["stepId"] == STEP["stepId"])
tools = next(content for message, content in read("tool.catalog.content", 0, OFFSET_BEGINNING)
             if message.key().decode() == catalog["digest"])
print("tools:", ", ".join(tool["name"] for tool in tools))

# 3. Call. The partition of a call's metadata is where its results come.
calls = [{"id": "call-1", "name": "hello__sign", "args": {"name": " Ada "}},
         {"id": "call-2", "name": "hello__guests", "args": {}},
         {"id": "call-3", "name": "hello__sign", "args": {"name": "  "}}]
waiting = {send("tool.call", {**call, **STEP}) for call in calls}
assert {p for p, _ in waiting} == {partition}, "an instance's steps and calls must share a partition"

# 4. Read that partition. A result's header says which call it answers; status pending means that another one follows.
for message, result in read("tool.result", partition, results[partition]):
    call = (partition, int(dict(message.headers())["toolfleet-call-offset"]))
    if call in waiting:
        print(result["toolCallId"], result["toolName"], result["status"],
              json.dumps(result.get("output") or result["error"]["code"], sort_keys=True))
        if result["status"] != "pending":
            waiting.remove(call)
        if not waiting:
            break
reader.close()
