package dev.toolfleet.error;

/// Cuts error messages to a tool's `errorMessageLimit`.
public final class ErrorText {
    /// `errorMessageLimit` of a tool that sets none, in UTF-16 units.
    public static final int DEFAULT_LIMIT = 1000;

    private static final String SUFFIX = "... (truncated)";

    private ErrorText() {}

    /// At most `limit` UTF-16 units of `message`, the suffix `... (truncated)`
    /// included; a limit of 15 or less cuts
    /// without the suffix. A surrogate pair is never split, so the text may be one
    /// unit shorter.
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

    /// `text` with every half of a surrogate pair that stands alone replaced by U+FFFD, because it has no UTF-8 form.
    public static String wellFormed(String text) {
        StringBuilder mended = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                if (mended == null) mended = new StringBuilder(text);
                mended.setCharAt(i, '\uFFFD');
            }
        }
        return mended == null ? text : mended.toString();
    }
}
