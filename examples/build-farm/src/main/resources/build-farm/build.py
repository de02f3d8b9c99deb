"""The build process in Python: builds what lies in a folder and tells the fleet how it goes.

Usage: build.py HANDLE FOLDER BROKERS, with the handle's token in BUILD_TOKEN and a JDK in JAVA_HOME. Needs
confluent-kafka, which places keys by CRC32, unlike Kafka's Java client: for completions any partitioner will do, as long
as all that is said of one handle goes to one partition, so that it stays in order.
"""
import glob
import json
import os
import subprocess
import sys

from confluent_kafka import Producer

HANDLE, FOLDER, BROKERS = sys.argv[1:4]
TOKEN = os.environ.pop("BUILD_TOKEN")  # The project's code, which the tests run, does not get it.
SIGN_OF_LIFE, MOST_SIGNS = 10, 60  # seconds; how many

os.chdir(FOLDER)
producer = Producer({"bootstrap.servers": BROKERS, "enable.idempotence": True, "message.timeout.ms": 600_000})


def tell(kind, **fields):
    """Sends a completion: the key is the handle, the value names handle, kind and token."""
    producer.produce("tool.completion", key=HANDLE,
                     value=json.dumps({"handle": HANDLE, "kind": kind, "token": TOKEN, **fields}))
    producer.poll(0)


def step(percent, name, *command):
    """Runs a step and returns what it said; a sign of life every few seconds. The build fails with it."""
    with open(f"{name}.log", "w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        for _ in range(MOST_SIGNS):
            tell("progress", progress={"percent": percent, "message": name})
            try:
                process.wait(SIGN_OF_LIFE)
                break
            except subprocess.TimeoutExpired:
                pass
        else:
            process.kill()
            raise RuntimeError(f"{name}: stopped after {SIGN_OF_LIFE * MOST_SIGNS} s")
        log.seek(0)
        said = log.read().splitlines()
    print(*said, sep="\n")
    if process.returncode != 0:
        raise RuntimeError(f"{name}: {said[0] if said else 'exit code ' + str(process.returncode)}")
    return said


def build():
    jdk = os.path.join(os.environ["JAVA_HOME"], "bin", "")
    sources = sorted(glob.glob("src/*.java")) + sorted(glob.glob("test/*.java"))
    step(0, "compile", jdk + "javac", "-proc:none", "-d", "classes", *sources)
    tests = step(40, "test", jdk + "java", "-cp", "classes", "GreeterTest")
    step(80, "package", jdk + "jar", "--create", "--file", "greeter.jar", "--main-class", "Greeter", "-C", "classes", ".")
    return {"artifact": "greeter.jar", "tests": tests[-1], "builtBy": "python"}


try:
    made = build()
    tell("completed", output=made)
except (RuntimeError, OSError) as failure:
    tell("failed", error={"code": "E_BUILD_FAILED", "name": "BuildFailedError", "message": str(failure), "suggestion":
                          "Read build.log in the build's folder, correct the sources and start a build again."})
# Kafka's client repeats what the broker did not take. One too many does no harm: the first that ends a handle wins.
if producer.flush(600):
    sys.exit("the broker did not take the completion")
