package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.compare.Arm;
import dev.toolfleet.bench.compare.CallLoad;
import dev.toolfleet.bench.compare.EngineOptions;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.config.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Options that all comparing benchmarks share.
final class ComparisonOptions {
    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "How often each measures; the table has the medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "200", description = "Of the text that each call carries and its result repeats (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of the draw of instances (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private Setup setup = new Setup();

    int rounds() {
        return rounds;
    }

    EngineOptions engines(int concurrency) {
        return setup.engines(concurrency);
    }

    List<CallLoad> loads(List<Duration> works, List<KeyMix> keys) {
        return works.stream().flatMap(work -> keys.stream().map(mix -> new CallLoad(work, mix, bytes, seed))).toList();
    }

    ComparisonBench.Output output(@Nullable CommandSpec spec) {
        return setup.output(spec);
    }

    /// Options of the engines, and destinations of the findings.
    static final class Setup {
        @Mixin
        private ReportOptions destinations = new ReportOptions();

        @Option(names = "--jvm", paramLabel = "FLAG", description = "A JVM flag for every engine, behind -Xmx512m -XX:+UseG1GC; may be given more than once.")
        private @Nullable List<String> jvm;

        @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the workers, such as worker.maxInFlight=200; may be given more than once.")
        private @Nullable Map<String, String> settings;

        EngineOptions engines(int concurrency) {
            return new EngineOptions(jvm == null ? List.of() : jvm,
                    settings == null ? Map.of() : new LinkedHashMap<>(settings), concurrency);
        }

        ComparisonBench.Output output(@Nullable CommandSpec spec) {
            return destinations.output(spec);
        }
    }

    /// `0`, `10ms`.
    static final class Work implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Duration work = text.equals("0") ? Duration.ZERO : Units.duration(text);
            if (work == null)
                throw new TypeConversionException("'" + text + "' is neither 0 nor a time such as 10ms");
            return work;
        }
    }

    /// `uniform:1000`.
    static final class Keys implements ITypeConverter<KeyMix> {
        @Override
        public KeyMix convert(String text) {
            try {
                return KeyMix.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /// `raw`.
    static final class Arms implements ITypeConverter<Arm> {
        @Override
        public Arm convert(String text) {
            try {
                return Arm.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
