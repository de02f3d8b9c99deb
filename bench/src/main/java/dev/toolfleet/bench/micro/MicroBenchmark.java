package dev.toolfleet.bench.micro;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Choices;

/// The micro-benchmarks, by the names under which they are run. A new one is a class with JMH's annotations in this
/// package, and a constant here.
public enum MicroBenchmark {
    /// Decisions of a policy of 500 rules.
    POLICY(PolicyBenchmark.class, List.of(
            new Case("decide", "one call, of 120 tools and as many callers", 20_000),
            new Case("decideUnseen", "the first call of a tool: each rule is looked at", 0),
            new Case("compile", "a changed bundle: all rules are read again", 0)));

    private final Class<?> type;
    private final List<Case> cases;

    /// One measured method.
    ///
    /// @param method its name
    /// @param what one operation is
    /// @param limitNanos how long it may take on average, in nanoseconds; 0 when nothing was promised
    public record Case(String method, String what, long limitNanos) {}

    MicroBenchmark(Class<?> type, List<Case> cases) {
        this.type = type;
        this.cases = List.copyOf(cases);
    }

    /// The one of that name.
    public static Optional<MicroBenchmark> named(String name) {
        return Stream.of(values()).filter(benchmark -> benchmark.text().equals(name)).findFirst();
    }

    /// All names, in order.
    public static List<String> names() {
        return Stream.of(values()).map(MicroBenchmark::text).toList();
    }

    /// Its name on the command line.
    public String text() {
        return Choices.text(this);
    }

    /// The class that JMH runs.
    Class<?> type() {
        return type;
    }

    /// What is measured, in the order of the table.
    public List<Case> cases() {
        return cases;
    }

    /// The full name of a case's method, as JMH says it.
    String label(Case measured) {
        return type.getName() + "." + measured.method();
    }
}
