package dev.toolfleet.cli.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Comment of a Java source: a block of lines with one marker, or the end of a line of code.
///
/// @param line the number of its first line, from 1
/// @param marker `///` for documentation, else `//` or `/*`
/// @param text its lines, joined by blanks
record Comment(int line, String marker, String text) {
    /// Texts and characters come first, so that a `//` inside one is no comment.
    private static final Pattern TOKEN = Pattern.compile("\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\""
            + "|'(?:\\\\.|[^'\\\\\n])*'|(?<block>/\\*.*?\\*/)|(?<line>///?)(?<text>[^\n]*)", Pattern.DOTALL);

    /// Returns the comments of a source. Lines that follow each other with the same marker are one comment.
    static List<Comment> of(String source) {
        List<Comment> found = new ArrayList<>();
        int line = 1;
        int counted = 0;
        int last = -1;
        for (Matcher token = TOKEN.matcher(source); token.find();) {
            line += (int) source.substring(counted, token.start()).chars().filter(c -> c == '\n').count();
            counted = token.start();
            if (token.group("block") != null) {
                String text = token.group().substring(2, token.group().length() - 2);
                found.add(new Comment(line, "/*", text.replaceAll("\\s*\n[ *]*", " ").strip()));
            } else if (token.group("line") != null) {
                boolean alone = source.substring(source.lastIndexOf('\n', token.start()) + 1, token.start()).isBlank();
                Comment one = new Comment(line, token.group("line"), token.group("text").strip());
                if (alone && last == line - 1 && found.getLast().marker().equals(one.marker()))
                    found.add(found.removeLast().and(one.text()));
                else
                    found.add(one);
                last = alone ? line : -1;
            }
        }
        return found;
    }

    private Comment and(String more) {
        return new Comment(line, marker, (text + " " + more).strip());
    }

    boolean isDocumentation() {
        return marker.equals("///");
    }
}
