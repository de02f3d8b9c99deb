package dev.toolfleet.worker.guard;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Makes a tree fit. Its longest texts are cut, all to the same length and none more than needed. If there are too many
/// values for that, the last ones are left out. Each cut place has a marker, and the tree is never longer than allowed.
/// Pure.
final class Truncation {
    /// Texts up to this length are not cut, but left out if need be.
    private static final int SHORT = 64;
    /// Room for the marker of a container that is cut short, in either form.
    private static final int MARKER = 2 * Markers.TRUNCATED.length() + 6;

    private Truncation() {}

    /// Fits a tree that is measured already, which is rarely too long.
    ///
    /// @param size of its JSON
    static JsonNode fit(JsonNode node, long size, long chars, long bytes) {
        return size <= chars && size * 3 <= bytes ? node : fit(node, chars, bytes);
    }

    /// @param chars of its JSON, at least enough for a marker
    /// @param bytes of its JSON in UTF-8
    static JsonNode fit(JsonNode node, long chars, long bytes) {
        JsonNode fitted = fit(node, Math.min(chars, bytes));
        // No character has more than three bytes.
        return JsonSize.of(fitted) * 3 <= bytes || JsonSize.of(fitted) + JsonSize.moreBytes(fitted) <= bytes
                ? fitted
                : fit(node, Math.min(chars, bytes / 3));
    }

    private static JsonNode fit(JsonNode node, long max) {
        long size = JsonSize.of(node);
        if (size <= max)
            return node;
        Lengths texts = new Lengths();
        texts.collect(node);
        JsonNode cut = cut(node, texts.level(size - max, (int) Math.min(SHORT, max / 2)));
        return JsonSize.of(cut) <= max ? cut : new Pruning(max).prune(cut);
    }

    private static JsonNode cut(JsonNode node, int level) {
        return switch (node.getNodeType()) {
            case STRING -> {
                String text = node.stringValue();
                yield JsonSize.text(text) <= level ? node : StringNode.valueOf(CutText.of(text, level));
            }
            case ARRAY -> {
                ArrayNode copy = Json.MAPPER.createArrayNode();
                for (JsonNode child : node)
                    copy.add(cut(child, level));
                yield copy;
            }
            case OBJECT -> {
                ObjectNode copy = Json.MAPPER.createObjectNode();
                node.properties().forEach(entry -> copy.set(entry.getKey(), cut(entry.getValue(), level)));
                yield copy;
            }
            case BOOLEAN, NULL, MISSING, NUMBER, BINARY, POJO -> node;
        };
    }

    /// Takes values in their order while there is room.
    private static final class Pruning {
        private long left;
        private boolean full;

        Pruning(long max) {
            left = max;
        }

        JsonNode prune(JsonNode node) {
            JsonNode pruned = take(node);
            return pruned == null ? StringNode.valueOf(Markers.TRUNCATED) : pruned;
        }

        private @Nullable JsonNode take(JsonNode node) {
            if (!node.isContainer())
                return reserve(JsonSize.of(node)) ? node : null;
            if (!reserve(2L + MARKER))
                return null;
            JsonNode copy = node instanceof ObjectNode object ? fields(object) : items(node);
            if (!full)
                left += MARKER;
            return copy;
        }

        private boolean reserve(long size) {
            if (full || size > left) {
                full = true;
                return false;
            }
            left -= size;
            return true;
        }

        private ArrayNode items(JsonNode array) {
            ArrayNode copy = Json.MAPPER.createArrayNode();
            for (JsonNode child : array) {
                JsonNode taken = reserve(1) ? take(child) : null;
                if (taken != null)
                    copy.add(taken);
                if (full) {
                    copy.add(Markers.TRUNCATED);
                    break;
                }
            }
            return copy;
        }

        private ObjectNode fields(ObjectNode object) {
            ObjectNode copy = Json.MAPPER.createObjectNode();
            for (var entry : object.properties()) {
                JsonNode taken = reserve(4 + JsonSize.text(entry.getKey())) ? take(entry.getValue()) : null;
                if (taken != null)
                    copy.set(entry.getKey(), taken);
                if (full) {
                    copy.put(Markers.TRUNCATED, Markers.TRUNCATED);
                    break;
                }
            }
            return copy;
        }
    }
}
