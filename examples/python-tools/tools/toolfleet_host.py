"""Stand-in for the module of the Python host, for tests of handlers outside of a host.

In a host, `import toolfleet_host` finds the host's own module, never this file. Copy it beside the handlers.
"""


class ToolError(Exception):
    """Failure of a call with a code, and advice for the model."""

    def __init__(self, code, message, *, suggestion=None, help_url=None):
        super().__init__(message)
        self.code = code
        self.name = type(self).__name__
        self.suggestion = suggestion
        self.help_url = help_url


class Pending:
    """Result of a call whose work goes on elsewhere. Made by `pending`."""

    def __init__(self, fields):
        self.fields = fields


def pending(handle, output=None, *, token=None, silent_at_most=None, waiting_for=None):
    """Makes the result of a call that has started work."""
    silent = None if silent_at_most is None else round(silent_at_most * 1000)
    return Pending({"handle": handle, "output": output, "token": token, "silentAtMostMs": silent,
                    "waitingFor": waiting_for})


class Context:
    """For annotations. A test passes an object with the attributes that its handler reads."""


class AsyncContext(Context):
    """For annotations of an `async def`."""


class Runtime:
    """For annotations."""


class AsyncRuntime(Runtime):
    """For annotations of an `async def`."""


class Work:
    """For annotations of `poll` and `cancel`."""
