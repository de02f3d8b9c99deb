package dev.toolfleet.error;

/// Cuts error messages to a tool's `errorMessageLimit`.
public final class ErrorText {
    /// The default of a tool's `errorMessageLimit`, in UTF-16 units.
    public static final int DEFAULT_LIMIT = 1000;

    private static final String SUFFIX = "... (truncated)";

    private ErrorText() {}

    /// Returns at most `limit` UTF-16 units of `message`, the suffix `... (truncated)` included; a limit of 15 or less
    /// cuts without the suffix. A surrogate pair is never split, so the text may be one unit shorter.
    public static String limit(String message, int limit) {
        if (message.length() <= limit)
            return message;
        if (limit <= SUFFIX.length())
            return head(message, limit);
        return head(message, limit - SUFFIX.length()) + SUFFIX;
    }

    private static String head(String text, int units) {
        if (units <= 0)
            return "";
        boolean splits = Character.isHighSurrogate(text.charAt(units - 1))
                && Character.isLowSurrogate(text.charAt(units));
        return text.substring(0, splits ? units - 1 : units);
    }
}
