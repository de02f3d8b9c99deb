package dev.toolfleet.worker.tools.texttransform;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;

/// Replacement for the matches of a regular expression: text with `$1`, `${1}`, `${name}`, `$0` for all of the match,
/// and `$$` for a dollar sign.
record Replacement(List<Part> parts) {
    private static final Pattern REFERENCE = Pattern.compile("\\$(?:(\\$)|(\\d{1,2})|\\{(\\w{1,100})}|)");

    /// A text as it is, or a group of the match.
    sealed interface Part {
        record Literal(String text) implements Part {}

        record Group(int number) implements Part {}
    }

    /// The groups of a match.
    interface Match {
        /// The text of a group; null when it took no part.
        @Nullable
        String group(int number);
    }

    static Replacement parse(String text, int groups, Map<String, Integer> names) {
        List<Part> parts = new ArrayList<>();
        Matcher reference = REFERENCE.matcher(text);
        int at = 0;
        while (reference.find()) {
            parts.add(new Part.Literal(text.substring(at, reference.start())));
            parts.add(part(reference, groups, names));
            at = reference.end();
        }
        parts.add(new Part.Literal(text.substring(at)));
        return new Replacement(List.copyOf(parts));
    }

    void appendTo(SizedText out, Match match) {
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String text) -> out.append(text);
                case Part.Group(int number) -> {
                    String group = match.group(number);
                    out.append(group == null ? "" : group);
                }
            }
        }
    }

    private static Part part(Matcher reference, int groups, Map<String, Integer> names) {
        if (reference.group(1) != null)
            return new Part.Literal("$");
        String given = reference.group(2) != null ? reference.group(2) : reference.group(3);
        if (given == null)
            throw Arguments.invalid("'replacement' has a lone $ at character " + reference.start(),
                    "Write $$ for a dollar sign.");
        Integer number = given.matches("\\d+") ? Integer.valueOf(given) : names.get(given);
        if (number == null || number > groups)
            throw Arguments.invalid("'replacement' names the group '" + given + "', which 'search' does not have",
                    "The expression has " + groups + " groups; write $$ for a dollar sign.");
        return new Part.Group(number);
    }
}
