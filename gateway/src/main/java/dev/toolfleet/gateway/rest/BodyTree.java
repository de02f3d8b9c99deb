package dev.toolfleet.gateway.rest;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.http.ProblemException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tree of a body, checked for what JSON permits and the fleet cannot write: half of a surrogate pair in a text or a
/// name, and numbers beyond a double.
///
/// **Why.** The path of a value is put together for a refusal only. Otherwise: a body of one long name and many items
/// has the name copied for each of them, and a megabyte costs a hundred gigabytes of copies.
final class BodyTree {
    private static final int MAX_DETAIL = 300;

    private BodyTree() {}

    /// Place of a value: behind a name, or in an array.
    ///
    /// @param outer the place around it; null for a field of the body
    /// @param name null for an item of an array
    private record Place(@Nullable Place outer, @Nullable String name, int index) {
        /// Returns the path, such as `args.list[2]`.
        String path() {
            Deque<Place> places = new ArrayDeque<>();
            for (Place each = this; each != null; each = each.outer)
                places.addFirst(each);
            StringBuilder path = new StringBuilder();
            for (Place each : places) {
                if (each.name == null)
                    path.append('[').append(each.index).append(']');
                else
                    path.append(path.isEmpty() ? "" : ".").append(each.name);
            }
            return path.toString();
        }
    }

    /// Checks a body, which is at most 100 levels deep.
    ///
    /// @throws ProblemException naming the place
    static void check(ObjectNode body) {
        walk(null, body);
    }

    /// Checks a value of a body, which is at most 100 levels deep.
    ///
    /// @param name of its field
    /// @throws ProblemException naming the place
    static void check(String name, JsonNode value) {
        walk(new Place(null, name, 0), value);
    }

    private static void walk(@Nullable Place place, JsonNode node) {
        if (node.isString() && !isWellFormed(node.stringValue()))
            throw malformed(place);
        if (node.isDouble() && !Double.isFinite(node.doubleValue()))
            throw Refusals.invalid(ErrorText.limit("'" + path(place) + "' holds a number beyond the range of a double.",
                    MAX_DETAIL));
        for (int i = 0; node.isArray() && i < node.size(); i++)
            walk(new Place(place, null, i), node.get(i));
        node.properties().forEach(field -> {
            if (!isWellFormed(field.getKey()))
                throw malformed(place);
            walk(new Place(place, field.getKey(), 0), field.getValue());
        });
    }

    private static String path(@Nullable Place place) {
        return place == null ? "body" : place.path();
    }

    private static ProblemException malformed(@Nullable Place place) {
        return Refusals.invalid(ErrorText.limit("'" + path(place) + "' is not well-formed Unicode", MAX_DETAIL)
                + ": it holds half a surrogate pair.");
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c))
                continue;
            if (!Character.isHighSurrogate(c) || ++i == text.length() || !Character.isLowSurrogate(text.charAt(i)))
                return false;
        }
        return true;
    }
}
