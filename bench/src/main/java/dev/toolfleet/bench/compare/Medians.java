package dev.toolfleet.bench.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// The middle of several measurements; of an even number the mean of the two in the middle.
public final class Medians {
    private Medians() {}

    /// The middle of a value of all.
    public static <T> double of(List<T> measured, ToDoubleFunction<T> value) {
        double[] sorted = measured.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? 0
                : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
