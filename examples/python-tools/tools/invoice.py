"""Handlers of the Tool `invoice`."""
from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TypedDict

from toolfleet_host import AsyncContext, Context, ToolError


@dataclass
class Line:
    what: str
    price: float
    count: int = 1


@dataclass
class Invoice:
    customer: str
    lines: list[Line]
    discount: float = 0

    def __post_init__(self) -> None:
        if not 0 <= self.discount < 1:
            raise ValueError(f"discount is a share from 0 to 1, and {self.discount} is none")


class Customers(TypedDict):
    customers: list[str]


def total(ctx: Context, input: Invoice) -> dict:
    """The input has been made into an Invoice, with its lines."""
    amount = sum(line.price * line.count for line in input.lines) * (1 - input.discount)
    return {"customer": input.customer, "amount": round(amount, 2), "currency": ctx.config["currency"]}


def parse(ctx: Context, input: dict) -> Line:
    """A dataclass is an output, too."""
    found = re.fullmatch(r"(?:(\d+) x )?(.+) at (\d+(?:\.\d+)?)", input["text"])
    if found is None:
        raise ToolError("E_NO_INVOICE_LINE", f"{input['text']!r} is no invoice line.",
                        suggestion='Write it as "3 x Tea at 2.50".')
    count, what, price = found.groups()
    return Line(what, float(price), int(count or 1))


async def remind(ctx: AsyncContext, input: Customers) -> dict:
    """Runs on the event loop, beside other calls. A cancellation ends it at the next `await`."""
    for i, customer in enumerate(input["customers"]):
        await asyncio.sleep(0.01)  # here a mail would be sent, with ctx.idempotency_key
        ctx.logger.info("reminded %s", customer)
        ctx.progress(100 * (i + 1) / len(input["customers"]), customer)
    return {"reminded": len(input["customers"])}


handlers = {"total": total, "parse": parse, "remind": remind}
