package dev.toolfleet.worker.tools.slack;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.worker.tools.args.Arguments;

/// The unique names of the arguments `emoji` and `emojis`, without colons around them. Pure.
final class EmojiNames {
    private EmojiNames() {}

    static List<String> of(Arguments args) {
        Set<String> names = new LinkedHashSet<>();
        names.add(name(args.text("emoji", "")));
        args.texts("emojis").forEach(text -> names.add(name(text)));
        names.remove("");
        if (names.isEmpty())
            throw Arguments.invalid("Provide 'emoji' or 'emojis' to add Slack reaction.");
        return List.copyOf(names);
    }

    private static String name(String text) {
        String bare = text.strip();
        String name = bare.length() > 2 && bare.startsWith(":") && bare.endsWith(":")
                ? bare.substring(1, bare.length() - 1)
                : bare;
        if (name.chars().anyMatch(Character::isWhitespace))
            throw Arguments.invalid("Invalid emoji name '" + name + "'. Emoji names must not contain whitespace.");
        return name;
    }
}
