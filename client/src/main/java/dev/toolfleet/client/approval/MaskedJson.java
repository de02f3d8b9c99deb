package dev.toolfleet.client.approval;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON without the values of fields that sound secret. Pure.
public final class MaskedJson {
    /// Stands in the place of a secret.
    public static final String MASKED = "[REDACTED]";
    private static final Pattern SECRET = Pattern.compile("(?i).*(pass(word|wd|phrase|code)?$|secret|token|api_?key"
            + "|private_?key|credential|authori[sz]ation|cookie|bearer|signature|^pin$|cvc|cvv|ssn|card_?number).*");

    private MaskedJson() {}

    /// Returns a masked copy.
    ///
    /// @param shortened cuts long texts
    public static JsonNode of(JsonNode node, UnaryOperator<String> shortened) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.properties().forEach(field -> copy.set(field.getKey(),
                        SECRET.matcher(field.getKey()).matches() && !isEmpty(field.getValue())
                                ? JsonNodeFactory.instance.stringNode(MASKED)
                                : of(field.getValue(), shortened)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode();
                array.forEach(each -> copy.add(of(each, shortened)));
                yield copy;
            }
            default -> node.isString()
                    ? JsonNodeFactory.instance.stringNode(shortened.apply(node.stringValue()))
                    : node;
        };
    }

    private static boolean isEmpty(JsonNode node) {
        return node.isNull() || node.isBoolean();
    }
}
