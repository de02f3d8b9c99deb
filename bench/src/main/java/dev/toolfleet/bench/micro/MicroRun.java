package dev.toolfleet.bench.micro;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import dev.toolfleet.bench.micro.MicroReport.Row;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs micro-benchmarks, each in a JVM of its own with the class path and the flags of this one.
public final class MicroRun {
    private final Consumer<String> progress;

    /// @param progress told what is measured next
    public MicroRun(Consumer<String> progress) {
        this.progress = progress;
    }

    /// Measures.
    ///
    /// @throws IllegalStateException when a benchmark fails, or JMH does not know it
    public MicroReport run(Collection<MicroBenchmark> benchmarks) {
        List<Row> rows = new ArrayList<>();
        for (MicroBenchmark benchmark : benchmarks) {
            for (MicroBenchmark.Case measured : benchmark.cases()) {
                progress.accept("measuring " + benchmark.name() + " " + measured.method() + ", for about 10 s");
                rows.add(row(benchmark, measured, run(benchmark.label(measured))));
            }
        }
        return new MicroReport(rows);
    }

    /// The benchmarks that JMH finds on the class path, by their full names.
    static Set<String> known() {
        return Set.copyOf(BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of()).stream()
                .map(entry -> entry.getUsername()).toList());
    }

    private static Result<?> run(String label) {
        try {
            Collection<RunResult> results = new Runner(new OptionsBuilder().include("^" + Pattern.quote(label) + "$")
                    .verbosity(VerboseMode.SILENT).shouldFailOnError(true).build()).run();
            if (results.size() != 1)
                throw new IllegalStateException(label + " was measured " + results.size() + " times instead of once");
            return results.iterator().next().getPrimaryResult();
        } catch (RunnerException e) {
            throw new IllegalStateException(label + " could not be measured: " + e.getMessage(), e);
        }
    }

    private static Row row(MicroBenchmark benchmark, MicroBenchmark.Case measured, Result<?> result) {
        return new Row(benchmark.name() + " " + measured.method(), measured.what(), result.getScore(),
                result.getScoreError(), measured.limitNanos());
    }
}
