package dev.toolfleet.cli.approval;

import java.util.regex.Pattern;

import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a person sees of a call's arguments: what the worker's guard left of them, which stands in the pending output;
/// else the call's own, without the values of fields that sound secret, and cut. Pure.
final class ShownArguments {
    static final String MASKED = "[REDACTED]";
    private static final int LONGEST = 200;
    private static final Pattern SECRET = Pattern.compile("(?i).*(pass(word|wd|phrase|code)?$|secret|token|api_?key"
            + "|private_?key|credential|authori[sz]ation|cookie|bearer|signature|^pin$|cvc|cvv|ssn|card_?number).*");

    private ShownArguments() {}

    static JsonNode of(PendingCall call) {
        JsonNode guarded = call.output() == null ? null : call.output().get("arguments");
        return guarded == null || guarded.isNull() ? masked(call.call().args()) : guarded;
    }

    private static JsonNode masked(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.properties().forEach(field -> copy.set(field.getKey(),
                        SECRET.matcher(field.getKey()).matches() && !isEmpty(field.getValue())
                                ? JsonNodeFactory.instance.stringNode(MASKED)
                                : masked(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode();
                array.forEach(each -> copy.add(masked(each)));
                yield copy;
            }
            default -> node.isString() && node.stringValue().length() > LONGEST
                    ? JsonNodeFactory.instance.stringNode(TextWidth.cut(node.stringValue(), LONGEST))
                    : node;
        };
    }

    private static boolean isEmpty(JsonNode node) {
        return node.isNull() || node.isBoolean();
    }
}
