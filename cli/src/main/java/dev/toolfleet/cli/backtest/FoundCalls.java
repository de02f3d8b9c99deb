package dev.toolfleet.cli.backtest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// Places of the calls with findings, whose results are looked up: 16 bytes for each, up to a bound. The places of a
/// partition come in the order of their offsets. One thread.
final class FoundCalls {
    private static final int FIRST_SIZE = 1024;

    private final int most;
    private final Map<Integer, Places> byPartition = new HashMap<>();
    private int size;

    /// @param most the number of kept places; of later calls no result is looked up
    FoundCalls(int most) {
        this.most = most;
    }

    private static final class Places {
        private long[] offsets = new long[FIRST_SIZE];
        private FindingGroup[] groups = new FindingGroup[FIRST_SIZE];
        private Returned[] returned = new Returned[FIRST_SIZE];
        private int size;

        void add(long offset, FindingGroup group) {
            if (size == offsets.length) {
                int longer = size + (size >> 1);
                offsets = Arrays.copyOf(offsets, longer);
                groups = Arrays.copyOf(groups, longer);
                returned = Arrays.copyOf(returned, longer);
            }
            offsets[size] = offset;
            groups[size] = group;
            returned[size++] = Returned.NONE;
        }

        /// The first place of that offset; negative for none.
        int first(long offset) {
            int at = Arrays.binarySearch(offsets, 0, size, offset);
            while (at > 0 && offsets[at - 1] == offset)
                at--;
            return at;
        }
    }

    void add(int partition, long offset, FindingGroup group) {
        if (size >= most)
            return;
        size++;
        byPartition.computeIfAbsent(partition, made -> new Places()).add(offset, group);
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean has(int partition, long offset) {
        Places places = byPartition.get(partition);
        return places != null && places.first(offset) >= 0;
    }

    /// Notes a result of a call that [#has].
    void returned(int partition, long offset, Returned result) {
        Places places = byPartition.get(partition);
        if (places == null)
            return;
        for (int at = places.first(offset); at >= 0 && at < places.size && places.offsets[at] == offset; at++)
            places.returned[at] = places.returned[at].then(result);
    }

    /// Hands over the last result of each call.
    void results(BiConsumer<FindingGroup, Returned> sink) {
        for (Places places : byPartition.values()) {
            for (int at = 0; at < places.size; at++)
                sink.accept(places.groups[at], places.returned[at]);
        }
    }
}
