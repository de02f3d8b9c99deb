import asyncio


async def work(ctx, input):
    if input["millis"] > 0:
        await asyncio.sleep(input["millis"] / 1000)
    return {"number": input["number"], "text": input["text"]}


handlers = {"put": work, "append": work, "label": work}
