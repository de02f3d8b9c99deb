package dev.toolfleet.worker.tools.jsonquery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import tools.jackson.databind.JsonNode;

/// A place in a JSON document, such as `users[0].name`: names between dots, places in arrays between brackets or dots.
/// Goondan's paths: no quotes, wildcards or `$`. Pure.
///
/// @param segments from the root on; none is the root itself
record DotPath(List<String> segments) {
    /// A name that follows a dot or begins the path, or a place in an array.
    private static final Pattern SEGMENT = Pattern.compile("\\.?([^.\\[\\]]++)|\\.?\\[(-?\\d++)]");
    private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

    /// Reads a path; a dot before the first name may be left out, and the empty path is the root.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS` that names the place of the fault
    static DotPath parse(String text) {
        if (text.isEmpty() || text.equals("."))
            return new DotPath(List.of());
        List<String> segments = new ArrayList<>();
        Matcher segment = SEGMENT.matcher(text);
        int at = 0;
        while (at < text.length()) {
            segment.region(at, text.length());
            if (!segment.lookingAt() || followsNothing(segment, segments))
                throw Arguments.invalid("'path' is no path from '" + shown(text.substring(at)) + "' on",
                        "Write names between dots and places in arrays in brackets, such as users[0].name, or . for all"
                                + " of it.");
            segments.add(segment.group(1) != null ? segment.group(1) : segment.group(2));
            at = segment.end();
        }
        return new DotPath(List.copyOf(segments));
    }

    /// Returns the value at this place; empty if there is none. A name that is not the object's own, an index outside
    /// the array, and a place inside a text or a number have no value.
    Optional<JsonNode> find(JsonNode root) {
        JsonNode node = root;
        for (String segment : segments) {
            JsonNode next = node.isArray()
                    ? INDEX.matcher(segment).matches() ? node.get(Integer.parseInt(segment)) : null
                    : node.get(segment);
            if (next == null)
                return Optional.empty();
            node = next;
        }
        return Optional.of(node);
    }

    /// `a[0]b`: a name needs a dot, unless it is the first.
    private static boolean followsNothing(Matcher segment, List<String> segments) {
        return segment.group(1) != null && !segment.group().startsWith(".") && !segments.isEmpty();
    }

    private static String shown(String rest) {
        return rest.length() <= 40 ? rest : rest.substring(0, 40) + "…";
    }
}
