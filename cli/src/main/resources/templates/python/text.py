"""The code behind the Tool `text`: one handler for each export."""
from dataclasses import dataclass

from toolfleet_host import Context, ToolError


@dataclass
class CountInput:
    text: str


@dataclass
class Count:
    words: int
    characters: int


def count(ctx: Context, input: CountInput) -> Count:
    text = input.text.strip()
    if not text:
        raise ToolError("E_NO_TEXT", "There is nothing to count: the text is blank.",
                        suggestion="Pass a text with at least one word.")
    return Count(words=len(text.split()), characters=len(text))


handlers = {"count": count}
