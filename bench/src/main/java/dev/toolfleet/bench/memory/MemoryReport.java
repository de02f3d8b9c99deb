package dev.toolfleet.bench.memory;

import java.util.List;

/// Live bytes on a worker's heap, after a collection, when all calls had been answered.
///
/// @param idle before the first call
/// @param samples the later ones, in order
public record MemoryReport(Sample idle, List<Sample> samples) {
    /// From which sample on the windows are full and the code is warm.
    private static final int WARM = 2;
    /// A leak of one reference for each call, with the 800,000 calls that a run of a million makes once it is warm,
    /// would be 6 MB.
    private static final double BYTES_PER_CALL = 6;

    /// One look.
    ///
    /// @param calls that were answered until then
    /// @param liveBytes on the heap
    public record Sample(int calls, long liveBytes) {}

    /// Copies the list.
    public MemoryReport {
        samples = List.copyOf(samples);
    }

    /// Bytes that each call has left behind since the worker was warm.
    public double bytesPerCall() {
        Sample warm = samples.get(WARM - 1);
        Sample last = samples.getLast();
        return (double) (last.liveBytes() - warm.liveBytes()) / (last.calls() - warm.calls());
    }

    /// True if the calls left nothing behind.
    public boolean kept() {
        return bytesPerCall() < BYTES_PER_CALL;
    }
}
