package dev.toolfleet.bench.effect;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.bench.load.Kind;

/// A line of an effect file: `begin 1763770000123456 ONCE call-000012 instance-7 1`.
///
/// @param run which start of a handler in this file the line belongs to
record EffectLine(Mark mark, Instant at, long run, Kind kind, String callId, String instance, int attempt) {
    private static final int FIELDS = 7;
    private static final long MICROS = 1_000_000;

    /// Meaning of a line.
    enum Mark {
        /// The effect is about to happen.
        BEGIN,
        /// It has happened.
        END,
        /// The handler was interrupted before.
        CUT
    }

    String text() {
        return String.join(" ", mark.name().toLowerCase(Locale.ROOT),
                Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, at)), Long.toString(run), kind.name(), callId,
                instance, Integer.toString(attempt)) + "\n";
    }

    /// Empty for what is no line, such as one that was cut short.
    static Optional<EffectLine> parse(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length != FIELDS)
            return Optional.empty();
        try {
            long micros = Long.parseLong(fields[1]);
            return Optional.of(new EffectLine(Mark.valueOf(fields[0].toUpperCase(Locale.ROOT)),
                    Instant.ofEpochSecond(micros / MICROS, micros % MICROS * 1000), Long.parseLong(fields[2]),
                    Kind.valueOf(fields[3]), fields[4], fields[5], Integer.parseInt(fields[6])));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
