package dev.toolfleet.bundle;

import java.util.regex.Pattern;

/// Pattern for paths of files in a bundle, such as `tools/**` or `prompts/*.md`. `*` stands for any characters of one
/// name, `?` for one, `[abc]` for one of these, `[!abc]` for another one, and a name `**` for any folders, also none.
/// Names with a leading dot are names like others. The whole path is compared.
public final class FilePattern {
    private static final String NAME = "[^/]*";

    private final String text;
    private final Pattern regex;

    private FilePattern(String text, Pattern regex) {
        this.text = text;
        this.regex = regex;
    }

    /// Returns the pattern for a text.
    ///
    /// @throws IllegalArgumentException when a `[` has no `]`, or the text is empty
    public static FilePattern of(String text) {
        if (text.isEmpty())
            throw new IllegalArgumentException("a pattern for files is empty");
        StringBuilder regex = new StringBuilder();
        String[] names = text.split("/", -1);
        for (int i = 0; i < names.length; i++) {
            boolean last = i == names.length - 1;
            if (names[i].equals("**"))
                regex.append(last ? ".+" : "(?:[^/]+/)*");
            else
                name(text, names[i], regex).append(last ? "" : "/");
        }
        return new FilePattern(text, Pattern.compile(regex.toString(), Pattern.DOTALL));
    }

    private static StringBuilder name(String text, String name, StringBuilder regex) {
        int at = 0;
        while (at < name.length()) {
            char c = name.charAt(at++);
            switch (c) {
                case '*' -> regex.append(NAME);
                case '?' -> regex.append("[^/]");
                case '[' -> at = choice(text, name, at, regex);
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex;
    }

    private static int choice(String text, String name, int from, StringBuilder regex) {
        boolean not = name.startsWith("!", from) || name.startsWith("^", from);
        int start = not ? from + 1 : from;
        int end = name.indexOf(']', start + 1);
        if (end < 0)
            throw new IllegalArgumentException("the pattern '" + text + "' has a '[' without ']'");
        String members = name.substring(start, end).replaceAll("([\\\\\\[\\]^&])", "\\\\$1");
        regex.append(not ? "[^/" : "[").append(members).append(']');
        return end + 1;
    }

    /// True if it selects this path.
    ///
    /// @param path from the bundle's folder, with `/`
    public boolean matches(String path) {
        return regex.matcher(path).matches();
    }

    /// True if it is the path of one file and has no other sign.
    public boolean isPath() {
        return text.chars().noneMatch(c -> c == '*' || c == '?' || c == '[');
    }

    /// Returns the pattern.
    @Override
    public String toString() {
        return text;
    }
}
