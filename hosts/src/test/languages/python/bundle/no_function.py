handlers = {"a": 1}
