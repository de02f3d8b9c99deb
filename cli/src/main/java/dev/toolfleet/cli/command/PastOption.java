package dev.toolfleet.cli.command;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.toolfleet.config.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A time on a command line: how long ago, such as `90s` or `2h`, or an instant.
final class PastOption implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
        Instant now = Instant.now();
        Duration ago = Units.duration(text);
        try {
            Instant then = ago == null ? Instant.parse(text.strip()) : now.minus(ago).truncatedTo(ChronoUnit.SECONDS);
            return then.isBefore(Instant.EPOCH) ? Instant.EPOCH : then;
        } catch (DateTimeException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is neither a time ago such as 90s, 10m, 2h or 7d, nor an"
                    + " instant such as 2026-11-21T20:00:00Z");
        }
    }
}
