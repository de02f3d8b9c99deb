package dev.toolfleet.bench.pending;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Cost of many pending calls at a worker, and their ends.
///
/// @param handles how many were pending
/// @param idle the worker when nothing was
/// @param full the worker when all were
/// @param ends how they ended
/// @param times how long it took
public record PendingReport(int handles, Sample idle, Sample full, Ends ends, Times times) {
    /// 50,000 handles may take 50 MB.
    private static final long BYTES_PER_HANDLE = 1_000;
    /// Difference between two looks at any JVM that did something.
    private static final long NOISE = 5_000_000;

    /// A look at the worker, after a collection.
    ///
    /// @param liveBytes on the heap
    /// @param threads their names, virtual ones too
    public record Sample(long liveBytes, List<String> threads) {
        /// Copies the list.
        public Sample {
            threads = List.copyOf(threads);
        }
    }

    /// Ends of the calls, after the worker had stopped.
    ///
    /// @param ended how many have a final result
    /// @param twice how many have more than one
    /// @param failed how many have one that is no success
    public record Ends(int ended, int twice, int failed) {}

    /// Durations of the run's parts.
    ///
    /// @param toPending until all calls were pending
    /// @param toHeard from then until something was heard of all their work
    /// @param toEnded from the first completion until the last final result
    public record Times(Duration toPending, Duration toHeard, Duration toEnded) {}

    /// By how much the live heap grew.
    public long grownBytes() {
        return full.liveBytes() - idle.liveBytes();
    }

    /// Allowed growth of the live heap.
    public long allowedBytes() {
        return Math.max(NOISE, handles * BYTES_PER_HANDLE);
    }

    /// The threads that are there with the handles and were not without.
    public List<String> addedThreads() {
        List<String> added = new ArrayList<>(full.threads());
        idle.threads().forEach(added::remove);
        return added;
    }

    /// True if every promise was kept.
    public boolean kept() {
        return grownBytes() < allowedBytes() && full.threads().size() <= idle.threads().size()
                && ends.ended() == handles
                && ends.twice() == 0 && ends.failed() == 0;
    }
}
