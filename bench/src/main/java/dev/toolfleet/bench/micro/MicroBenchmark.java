package dev.toolfleet.bench.micro;

import java.util.List;
import java.util.Optional;

/// A micro-benchmark, by the name under which it is run. A new one is a class with JMH's annotations in this package,
/// and an entry in [#ALL].
///
/// @param name on the command line
/// @param type the class that JMH runs
/// @param cases what is measured, in the order of the table
public record MicroBenchmark(String name, Class<?> type, List<Case> cases) {
    /// Decisions of a policy of 500 rules.
    private static final MicroBenchmark POLICY = new MicroBenchmark("policy", PolicyBenchmark.class, List.of(
            new Case("decide", "one call of a tool that was called before", 20_000),
            new Case("decideUnseen", "the first call of a tool: each rule is looked at", 0),
            new Case("compile", "a changed bundle: all rules are compiled again", 0)));

    /// Conditions on arguments.
    private static final MicroBenchmark CONDITIONS = new MicroBenchmark("conditions", ConditionBenchmark.class, List.of(
            new Case("without", "a call that four rules without conditions are looked at for", 0),
            new Case("with", "the same with a condition on an argument in each of the four", 2_000),
            new Case("withPattern", "one rule with a pattern of RE2 over a text of 25 characters", 0)));

    /// The steps of one call.
    private static final MicroBenchmark CALL = new MicroBenchmark("call", CallBenchmark.class, List.of(
            new Case("decode", "the bytes of a call with a text of 200 bytes become a call", 0),
            new Case("identify", "its identity and its fingerprint", 0),
            new Case("lane", "into its lane, to the front, and out of it", 0),
            new Case("validate", "its arguments against a schema of three fields", 0),
            new Case("guard", "its output, in which nothing is wrong", 0),
            new Case("encode", "its result becomes bytes", 0)));

    /// Repair and compaction of transcripts.
    private static final MicroBenchmark SESSIONS = new MicroBenchmark("sessions", SessionBenchmark.class, List.of(
            new Case("repair10k", "the repair of 10,000 entries", 0),
            new Case("repair100k", "the repair of 100,000 entries", 1_000_000_000L),
            new Case("repair1m", "the repair of 1,000,000 entries", 0),
            new Case("compact10k", "10,000 entries to half of their tokens", 0),
            new Case("compact100k", "100,000 entries to half of their tokens", 2_000_000_000L),
            new Case("compact1m", "1,000,000 entries to half of their tokens", 0)));

    /// All of them, in the order in which they run.
    public static final List<MicroBenchmark> ALL = List.of(POLICY, CONDITIONS, CALL, SESSIONS);

    /// Copies the cases.
    public MicroBenchmark {
        cases = List.copyOf(cases);
    }

    /// One measured method.
    ///
    /// @param method its name
    /// @param what one operation is
    /// @param limitNanos how long it may take on average, in nanoseconds; 0 when nothing was promised
    public record Case(String method, String what, long limitNanos) {}

    /// The one of that name.
    public static Optional<MicroBenchmark> named(String name) {
        return ALL.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
    }

    /// All names, in order.
    public static List<String> names() {
        return ALL.stream().map(MicroBenchmark::name).toList();
    }

    /// The full name of a case's method in JMH.
    String label(Case measured) {
        return type.getName() + "." + measured.method();
    }
}
