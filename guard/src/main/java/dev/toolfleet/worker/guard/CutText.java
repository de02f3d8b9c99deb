package dev.toolfleet.worker.guard;

/// Cuts a text: its beginning stays, and of a longer text its end too, because programs report their failures there.
/// Never splits a surrogate pair. Pure.
final class CutText {
    private static final String BETWEEN = "\n" + Markers.TRUNCATED + "\n";
    /// Least room with which the end is kept.
    private static final int ROOM_FOR_END = 200;
    private static final int LONGEST_END = 4_000;

    private CutText() {}

    /// @param limit characters as JSON, the marker included and without quotes
    static String of(String text, int limit) {
        int room = limit - (int) JsonSize.text(BETWEEN);
        if (room <= 0)
            return Markers.TRUNCATED;
        int end = room < ROOM_FOR_END ? 0 : Math.min(room / 4, LONGEST_END);
        String head = head(text, room - end);
        if (end == 0)
            return head + "\n" + Markers.TRUNCATED;
        return head + BETWEEN + tail(text, end);
    }

    private static String head(String text, int limit) {
        int left = limit;
        int at = 0;
        while (at < text.length() && JsonSize.of(text.charAt(at)) <= left) {
            left -= JsonSize.of(text.charAt(at));
            at++;
        }
        return text.substring(0, splits(text, at) ? at - 1 : at);
    }

    private static String tail(String text, int limit) {
        int left = limit;
        int at = text.length();
        while (at > 0 && JsonSize.of(text.charAt(at - 1)) <= left) {
            left -= JsonSize.of(text.charAt(at - 1));
            at--;
        }
        return text.substring(splits(text, at) ? at + 1 : at);
    }

    private static boolean splits(String text, int at) {
        return at > 0 && at < text.length() && Character.isHighSurrogate(text.charAt(at - 1))
                && Character.isLowSurrogate(text.charAt(at));
    }
}
