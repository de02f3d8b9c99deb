package dev.toolfleet.mcp.rpc;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// Reader of server-sent events (WHATWG HTML, section 9.2). It keeps one event of at most the limit in memory.
///
/// **Threads.** One reader.
public final class SseReader {
    private static final int BUFFER = 8_192;
    private static final int LONGEST_RETRY = 9;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[BUFFER];
    private int from;
    private int to;
    private boolean afterReturn;
    private boolean begun;
    private @Nullable String lastId;
    private @Nullable Duration retry;

    /// A reader of events of at most `maxBytes` bytes.
    public SseReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /// Returns the last id that the stream has named, or null.
    public @Nullable String lastId() {
        return lastId;
    }

    /// Returns the wait that the server wants before a reader connects again, or null.
    public @Nullable Duration retry() {
        return retry;
    }

    /// Returns the next event that has data; null at the end of the stream. An event that the stream's end cuts is none.
    ///
    /// @throws EventTooLarge when an event exceeds the limit
    public @Nullable SseEvent next() throws IOException {
        StringBuilder data = null;
        String type = "message";
        long read = 0;
        while (true) {
            String line = line();
            if (line == null)
                return null;
            if (line.isEmpty()) {
                if (data != null)
                    return new SseEvent(type, data.toString(), lastId);
                type = "message";
                read = 0;
                continue;
            }
            int colon = line.indexOf(':');
            if (colon == 0)
                continue;
            read += line.length();
            if (read > maxBytes)
                throw new EventTooLarge(maxBytes);
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = value(line, colon);
            switch (field) {
                case "data" -> data = data == null ? new StringBuilder(value) : data.append('\n').append(value);
                case "event" -> type = value.isEmpty() ? "message" : value;
                case "id" -> lastId = value.indexOf('\0') < 0 ? value : lastId;
                case "retry" -> retry = retry(value);
                default -> {
                    // Fields of later versions of the format.
                }
            }
        }
    }

    private static String value(String line, int colon) {
        if (colon < 0)
            return "";
        int start = colon + 1 < line.length() && line.charAt(colon + 1) == ' ' ? colon + 2 : colon + 1;
        return line.substring(start);
    }

    private @Nullable Duration retry(String value) {
        boolean digits = !value.isEmpty() && value.length() <= LONGEST_RETRY
                && value.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Duration.ofMillis(Long.parseLong(value)) : retry;
    }

    /// Returns the next line; null at the end, also for a line that the end cuts.
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (from == to && !more())
                return null;
            if (afterReturn && chunk[from] == '\n')
                from++;
            afterReturn = false;
            int end = from;
            while (end < to && chunk[end] != '\n' && chunk[end] != '\r')
                end++;
            line.write(chunk, from, end - from);
            if (line.size() > maxBytes)
                throw new EventTooLarge(maxBytes);
            from = end;
            if (end < to) {
                afterReturn = chunk[end] == '\r';
                from++;
                return text(line);
            }
        }
    }

    private boolean more() throws IOException {
        from = 0;
        to = Math.max(0, in.read(chunk));
        return to > 0;
    }

    private String text(ByteArrayOutputStream line) {
        String text = line.toString(StandardCharsets.UTF_8);
        boolean marked = !begun && text.startsWith("\uFEFF");
        begun = true;
        return marked ? text.substring(1) : text;
    }

    /// Thrown for an event above the limit.
    public static final class EventTooLarge extends EOFException {
        EventTooLarge(int maxBytes) {
            super("an event has more than " + maxBytes + " bytes");
        }
    }
}
