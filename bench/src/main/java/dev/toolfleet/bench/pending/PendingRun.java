package dev.toolfleet.bench.pending;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import dev.toolfleet.bench.fleet.LiveJvm;
import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.pending.PendingReport.Ends;
import dev.toolfleet.bench.pending.PendingReport.Sample;
import dev.toolfleet.bench.pending.PendingReport.Times;

/// A run: calls through one worker until many are pending at a time, each of whose work is heard of once; a look at
/// what lives in the worker before and then; completions for all; and when the worker has stopped, a count of what
/// came. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record PendingRun(PendingOptions options, Path root, Consumer<String> progress) {
    /// Calls that come and go first, so that what is made once is there.
    private static final int WARM_UP = 2_000;

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public PendingReport run() throws IOException, InterruptedException {
        progress.accept("starting a broker and a worker ...");
        try (SoloFleet fleet = SoloFleet.start(root, PendingTools.class);
                PendingTraffic calls = new PendingTraffic(fleet)) {
            return run(fleet, calls);
        }
    }

    private PendingReport run(SoloFleet fleet, PendingTraffic calls) throws IOException, InterruptedException {
        int warm = Math.min(WARM_UP, options.handles());
        int all = warm + options.handles();
        calls.makePending(warm);
        calls.beHeard(calls.tally().handles());
        calls.complete(calls.tally().handles());
        calls.awaitEnded(warm);
        Sample idle = sample(fleet);
        tell("%,d calls came and went, %.1f MB live, %d threads", warm, idle);

        long begun = System.nanoTime();
        calls.makePending(all);
        Duration toPending = since(begun);
        List<String> handles = List.copyOf(calls.tally().handles().subList(warm, all));
        long pending = System.nanoTime();
        calls.beHeard(handles);
        Duration toHeard = since(pending);
        Sample full = sample(fleet);
        tell("%,d calls are pending, %.1f MB live, %d threads", options.handles(), full);

        long completing = System.nanoTime();
        calls.complete(handles);
        calls.awaitEnded(all);
        Duration toEnded = since(completing);
        fleet.stopWorker();
        calls.readToTheEnd();
        Tally tally = calls.tally();
        return new PendingReport(options.handles(), idle, full,
                new Ends(tally.ended() - warm, tally.twice(), tally.failed()), new Times(toPending, toHeard, toEnded));
    }

    private static Sample sample(SoloFleet fleet) throws IOException, InterruptedException {
        return new Sample(LiveJvm.heapBytes(fleet.workerPid()), LiveJvm.threads(fleet.workerPid()));
    }

    private void tell(String what, int calls, Sample sample) {
        progress.accept(String.format(Locale.ROOT, what, calls, sample.liveBytes() / 1e6, sample.threads().size()));
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    /// Options of a run.
    ///
    /// @param handles how many calls are pending at a time
    public record PendingOptions(int handles) {
        /// Checks the value.
        ///
        /// @throws IllegalArgumentException naming it
        public PendingOptions {
            if (handles < 100 || handles > 10_000_000)
                throw new IllegalArgumentException("handles is " + handles + "; it must be 100 to 10000000");
        }
    }
}
