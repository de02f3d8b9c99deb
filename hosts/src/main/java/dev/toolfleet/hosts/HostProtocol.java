package dev.toolfleet.hosts;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Names and limits of the host protocol, version 1 (`docs/host-protocol.md`), and the making of its messages.
final class HostProtocol {
    static final int VERSION = 1;
    /// The most bytes of a message, its line end not counted.
    static final int MESSAGE_BYTES = 4 << 20;
    /// The most calls that a host gets at once.
    static final int IN_FLIGHT = 64;
    /// Error code of a handler that failed.
    static final int HANDLER_FAILED = -32_000;
    /// Error code of a module that could not be loaded.
    static final int LOAD_FAILED = -32_001;
    private static final int METHOD_NOT_FOUND = -32_601;
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(\\d{1,18})\\b");

    private HostProtocol() {}

    static byte[] request(long id, String method, ObjectNode params) {
        return line(message().put("id", id).put("method", method).set("params", params));
    }

    static byte[] notification(String method, ObjectNode params) {
        return line(message().put("method", method).set("params", params));
    }

    static byte[] answer(JsonNode id, JsonNode result) {
        ObjectNode message = message();
        message.set("id", id);
        return line(message.set("result", result));
    }

    static byte[] refusal(JsonNode id, ServiceException failure) {
        ObjectNode message = message();
        message.set("id", id);
        ObjectNode data = message.putObject("error").put("code", HANDLER_FAILED)
                .put("message", String.valueOf(failure.getMessage())).putObject("data").put("code", failure.code());
        if (failure.suggestion() != null)
            data.put("suggestion", failure.suggestion());
        return line(message);
    }

    static byte[] unknownMethod(JsonNode id, String method) {
        ObjectNode message = message();
        message.set("id", id);
        message.putObject("error").put("code", METHOD_NOT_FOUND).put("message", "unknown method " + method);
        return line(message);
    }

    /// Returns the id in the beginning of a message that cannot be read; -1 if there is none.
    static long idIn(String beginning) {
        Matcher id = ID.matcher(beginning);
        return id.find() ? Long.parseLong(id.group(1)) : -1;
    }

    private static ObjectNode message() {
        return JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    }

    private static byte[] line(ObjectNode message) {
        byte[] json = Json.MAPPER.writeValueAsBytes(message);
        byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }
}
