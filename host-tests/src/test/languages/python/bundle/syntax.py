handlers = {
    "a": lambda ctx, input: 1 +,
}
