package dev.toolfleet.session.prompt;

import java.util.regex.Pattern;

/// Values from outside, written so that they cannot pass for a part of the prompt.
///
/// **Why.** A description of a tool once contained `## Constraints`, and the model obeyed the second section.
public final class DataText {
    private static final Pattern BREAKS = Pattern.compile("\\R");
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Z}\\p{Cc}]+");
    private static final Pattern TAG = Pattern.compile("<(?=\\s*/?\\s*data\\b)", Pattern.CASE_INSENSITIVE);
    /// Headings of both forms, and rules.
    private static final Pattern STRUCTURE = Pattern.compile("^[\\s\\p{Z}]*(?=#|([-=*_][\\s\\p{Z}]*){3,}$|[-=]+$)");

    private DataText() {}

    /// Returns a value as one line.
    ///
    /// @param maxLength characters that are kept
    public static String line(String value, int maxLength) {
        String line = BLANKS.matcher(value).replaceAll(" ").strip();
        if (line.length() > maxLength) {
            int end = Character.isHighSurrogate(line.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
            line = line.substring(0, end) + "…";
        }
        return neutral(line);
    }

    /// Returns a value as a block that names its source.
    public static String block(String source, String value) {
        StringBuilder block = new StringBuilder("<data source=\"").append(source).append("\">\n");
        for (String line : BREAKS.split(value.strip(), -1))
            block.append(neutral(line)).append('\n');
        return block.append("</data>").toString();
    }

    private static String neutral(String line) {
        return STRUCTURE.matcher(TAG.matcher(line).replaceAll("&lt;")).replaceAll("\\\\");
    }
}
