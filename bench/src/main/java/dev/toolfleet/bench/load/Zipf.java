package dev.toolfleet.bench.load;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/// Ranks from 0, the k-th drawn in proportion to `1 / (k + 1)^exponent`: few instances are busy, many are not.
public final class Zipf {
    private final double[] upTo;

    /// @param ranks how many; at least one
    public Zipf(int ranks, double exponent) {
        if (ranks < 1)
            throw new IllegalArgumentException("ranks is " + ranks + "; it must be at least 1");
        this.upTo = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            upTo[rank] = sum;
        }
    }

    /// The next rank.
    public int draw(RandomGenerator random) {
        double at = random.nextDouble() * upTo[upTo.length - 1];
        int found = Arrays.binarySearch(upTo, at);
        return Math.min(upTo.length - 1, found < 0 ? -found - 1 : found + 1);
    }
}
