"""The handlers that `toolfleet host check` calls."""
import asyncio


def fail(ctx, input):
    raise ValueError("as asked")


async def wait(ctx, input):
    await asyncio.sleep(1000)


handlers = {
    "echo": lambda ctx, input: input,
    "fail": fail,
    "progress": lambda ctx, input: ctx.progress(50, "half"),
    "wait": wait,
}
