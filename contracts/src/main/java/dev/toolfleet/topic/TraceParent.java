package dev.toolfleet.topic;

import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// W3C Trace Context. Written as version 00; later versions are read as far as version 00 goes.
///
/// @param traceId 32 hex digits
/// @param parentId 16 hex digits
/// @param flags 2 hex digits; bit 0 means sampled
public record TraceParent(String traceId, String parentId, String flags) {
    /// The longest header that is read: it travels with records that have little room.
    private static final int MAX_LENGTH = 256;
    private static final Pattern FORM = Pattern
            .compile("(?!ff|00.{53}.)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    /// Reads the context in a header; empty when there is none or it is malformed, since a bad trace must not cost a
    /// call.
    public static Optional<TraceParent> parse(@Nullable String header) {
        if (header == null || header.length() > MAX_LENGTH)
            return Optional.empty();
        Matcher form = FORM.matcher(header);
        return form.matches()
                ? Optional.of(new TraceParent(form.group(1), form.group(2), form.group(3)))
                : Optional.empty();
    }

    /// Starts a new trace, sampled.
    public static TraceParent start(RandomGenerator random) {
        return new TraceParent(hex(random) + hex(random), hex(random), "01");
    }

    /// Returns the same trace with a new span as its parent.
    public TraceParent child(RandomGenerator random) {
        return new TraceParent(traceId, hex(random), flags);
    }

    /// Returns its text in the header.
    public String header() {
        return "00-" + traceId + "-" + parentId + "-" + flags;
    }

    private static String hex(RandomGenerator random) {
        long bits = random.nextLong();
        return String.format("%016x", bits == 0 ? 1 : bits);
    }
}
