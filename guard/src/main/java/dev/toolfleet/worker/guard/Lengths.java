package dev.toolfleet.worker.guard;

import java.util.Arrays;

import tools.jackson.databind.JsonNode;

/// Lengths of all texts of a tree, which decide the length to which the longest are cut. Not thread-safe.
final class Lengths {
    private int[] lengths = new int[16];
    private int count;

    void collect(JsonNode node) {
        if (node.isString())
            add((int) Math.min(Integer.MAX_VALUE, JsonSize.text(node.stringValue())));
        else
            for (JsonNode child : node)
                collect(child);
    }

    private void add(int length) {
        if (count == lengths.length)
            lengths = Arrays.copyOf(lengths, count * 2);
        lengths[count++] = length;
    }

    /// Returns the greatest length to which cutting saves `excess` characters; at least `least`.
    int level(long excess, int least) {
        Arrays.sort(lengths, 0, count);
        long spared = 0;
        for (int longer = 1; longer <= count; longer++) {
            int next = longer == count ? least : Math.max(least, lengths[count - 1 - longer]);
            long step = (long) (lengths[count - longer] - next) * longer;
            if (lengths[count - longer] <= least)
                return least;
            if (spared + step >= excess)
                return (int) Math.max(least, lengths[count - longer] - (excess - spared + longer - 1) / longer);
            spared += step;
        }
        return least;
    }
}
