"""Makes the calls of ../../conformance/storm.js with several clients, each of which begins at another gateway and call.

Every second client is one for asyncio.
"""

import asyncio
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from toolfleet import AsyncToolfleet, Toolfleet

URLS = os.environ["TOOLFLEET_URLS"].split(",")
CALLS = json.loads(os.environ["CALLS"])
CLIENTS = int(os.environ["CLIENTS"])
AT_A_TIME = 12
LINES = threading.Lock()


def rotated(values, by):
    by %= len(values)
    return values[by:] + values[:by]


def report(number, key, result):
    line = json.dumps({"client": f"python {number}", "key": key, "status": result["status"],
                       "code": result.get("error", {}).get("code"), "output": result.get("output")})
    with LINES:
        print(line, flush=True)


def threads(number, urls, calls):
    fleet = Toolfleet(urls, retry_for=180)

    def make(each):
        call = fleet.agent(each["instance"], "clerk").call("press__stamp", each["args"], idempotencyKey=each["key"])
        report(number, each["key"], call.final())

    with ThreadPoolExecutor(AT_A_TIME) as executor:
        list(executor.map(make, calls))


async def tasks(number, urls, calls):
    limit = asyncio.Semaphore(AT_A_TIME)
    async with AsyncToolfleet(urls, retry_for=180) as fleet:

        async def make(each):
            async with limit:
                call = await fleet.agent(each["instance"], "clerk").call("press__stamp", each["args"], idempotencyKey=each["key"])
                report(number, each["key"], await call.final())

        await asyncio.gather(*map(make, calls))


def client(number):
    given = number, rotated(URLS, number // 2), rotated(CALLS, number * len(CALLS) // CLIENTS)
    if number % 2 == 0:
        threads(*given)
    else:
        asyncio.run(tasks(*given))


with ThreadPoolExecutor(CLIENTS) as clients:
    list(clients.map(client, range(CLIENTS)))
