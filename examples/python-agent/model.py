"""A script in the place of a model. It reads the messages as a model would, and answers with calls or a text."""


def calls(*made):
    return {"calls": [{"id": id, "name": name, "args": args} for id, name, args in made]}


def answer(messages, tools):
    """Returns `calls`, or `text`."""
    last = messages[-1]
    news = last["content"] if last["role"] == "user" else {each["toolCallId"]: each for each in last["results"]}
    if news == "I need 30 pages printed.":
        assert [tool["name"] for tool in tools] == ["shop__quote", "shop__print", "shop__pay"]
        return calls(("call_1", "shop__quote", {"pages": "thirty"}))
    # The error has the advice of the fleet.
    if "call_1" in news and news["call_1"]["status"] == "error":
        return calls(("call_2", "shop__quote", {"pages": 30}), ("call_3", "shop__print", {"pages": 30}))
    if "call_3" in news and news["call_3"]["status"] == "pending":
        return {"text": f"The print costs {news['call_2']['output']['cents']} cents. It is ordered."}
    if "'copies': 30" in news:
        return calls(("call_4", "shop__pay", {"cents": 120}))
    if "call_4" in news and news["call_4"]["status"] == "pending":
        return {"text": "The print is ready. The payment waits for a person."}
    if "'paid': 120" in news:
        return {"text": "The print is paid."}
    raise AssertionError(f"The script has no answer to {last}")
