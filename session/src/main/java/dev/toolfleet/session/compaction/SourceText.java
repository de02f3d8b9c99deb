package dev.toolfleet.session.compaction;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import tools.jackson.databind.JsonNode;

/// Text form of entries for a summariser, in parts that its model's window can hold.
final class SourceText {
    private SourceText() {}

    /// Returns the entries' texts in parts of at most `limit` tokens, oldest first.
    static List<String> parts(List<Entry> entries, long limit, TokenCounter counter) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        long tokens = 0;
        for (Entry entry : entries) {
            for (String piece : pieces(text(entry), limit, counter)) {
                // One more for each piece: rounding may be lost where pieces meet.
                long more = counter.text(piece) + 1;
                if (tokens + more > limit && !part.isEmpty()) {
                    parts.add(part.toString());
                    part.setLength(0);
                    tokens = 0;
                }
                part.append(piece);
                tokens += more;
            }
        }
        if (!part.isEmpty())
            parts.add(part.toString());
        return parts;
    }

    private static List<String> pieces(String text, long limit, TokenCounter counter) {
        if (text.length() < 2 || counter.text(text) + 1 <= limit)
            return List.of(text);
        int middle = text.length() / 2;
        if (Character.isLowSurrogate(text.charAt(middle)))
            middle--;
        if (middle == 0)
            return List.of(text);
        List<String> pieces = new ArrayList<>(pieces(text.substring(0, middle), limit, counter));
        pieces.addAll(pieces(text.substring(middle), limit, counter));
        return pieces;
    }

    private static String text(Entry entry) {
        StringBuilder text = new StringBuilder(entry.role().wireName());
        if (entry.toolName() != null)
            text.append(' ').append(entry.toolName());
        text.append(": ").append(text(entry.content())).append('\n');
        for (Call call : entry.calls())
            text.append("call ").append(call.toolName()).append(' ').append(call.args()).append('\n');
        return text.toString();
    }

    private static String text(JsonNode content) {
        return content.isString() ? content.stringValue() : content.toString();
    }
}
