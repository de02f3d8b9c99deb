"""Makes toolfleet/records.py of docs/openapi.json: python3 generate_records.py OPENAPI >toolfleet/records.py"""

import json
import re
import sys

# The records of the operations that this client has, and what they refer to.
ROOTS = [
    "ApprovalList", "CallList", "CallRequest", "CallState", "Catalog", "CompletionRequest", "DecisionRequest", "Problem",
    "Prompt", "ResultList", "SessionMessages", "SessionState", "StepAnswer", "StepRequest", "ToolResult",
]
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rsplit("/", 1)[1]
        for each in schema.values():
            yield from references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


class Types:
    """Definitions by name, in the order in which they must stand."""

    def __init__(self, schemas):
        self.schemas = schemas
        self.texts = {}
        self.begun = set()

    def define(self, name):
        if name in self.begun:
            return
        self.begun.add(name)
        schema = self.schemas[name]
        for each in references(schema):
            self.define(each)
        if "properties" in schema:
            self.record(name, schema)
        else:
            self.texts[name] = f"{name} = {self.type_of(schema, name)}"

    def record(self, name, schema):
        required = schema.get("required", [])
        fields = []
        for field, each in schema["properties"].items():
            kind = self.type_of(each, name + field[0].upper() + field[1:])
            fields.append(f"    {json.dumps(field)}: {kind if field in required else f'NotRequired[{kind}]'},")
        about = schema.get("description", "").split(". ")[0].rstrip(".")
        comment = f"# {about}.\n" if about else ""
        self.texts[name] = comment + f"{name} = TypedDict({json.dumps(name)}, {{\n" + "\n".join(fields) + "\n})"

    def type_of(self, schema, name):
        if "$ref" in schema:
            return schema["$ref"].rsplit("/", 1)[1]
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(each) for each in schema['enum'])}]"
        if "const" in schema:
            return f"Literal[{json.dumps(schema['const'])}]"
        kind = schema.get("type")
        if kind == "array":
            return f"list[{self.type_of(schema.get('items', {}), name + 'Item')}]"
        if kind == "object" and schema.get("properties"):
            self.record(name, schema)
            return name
        if kind == "object":
            more = schema.get("additionalProperties")
            return f"dict[str, {self.type_of(more, name + 'Value') if isinstance(more, dict) else 'Any'}]"
        return SCALARS.get(kind, "Any") if isinstance(kind, str) else "Any"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        types = Types(json.load(file)["components"]["schemas"])
    for root in ROOTS:
        types.define(root)
    print('"""The gateway\'s records. Made by generate_records.py of docs/openapi.json; do not edit."""\n')
    print("from __future__ import annotations\n")
    print("from typing import Any, Literal, NotRequired, TypedDict\n")
    for text in types.texts.values():
        print(re.sub(r"\n\n+", "\n", text) + "\n")
    print("__all__ = [\n" + "\n".join(f"    {json.dumps(name)}," for name in types.texts) + "\n]")


main()
