package dev.toolfleet.cli.command;

import java.time.Duration;

import dev.toolfleet.config.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// `90s`, `10m` on a command line, as in the configuration.
public final class DurationOption implements ITypeConverter<Duration> {
    /// For picocli.
    public DurationOption() {}

    @Override
    public Duration convert(String text) {
        Duration duration = Units.duration(text);
        if (duration == null || duration.isZero())
            throw new TypeConversionException("'" + text + "' is not a time such as 500ms, 60s, 10m or PT5M");
        return duration;
    }
}
