"""Module beside the handlers, found by its plain name."""


def answer():
    return 42
