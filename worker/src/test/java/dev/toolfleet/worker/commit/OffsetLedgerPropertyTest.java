package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;

/// The ledger beside sets of numbers, through reads, ends, failed commits, forgetting and new owners.
class OffsetLedgerPropertyTest {

    /// Model of a partition's calls: tracked ones are open or done; gaps never were calls.
    private static final class Model {
        private final SortedSet<Long> open = new TreeSet<>();
        private final SortedSet<Long> done = new TreeSet<>();
        private final long seed;
        private long position;
        private long furthest;

        Model(long seed, long position) {
            this.seed = seed;
            this.position = position;
        }

        /// True if there is no record at `offset`, for every reader.
        boolean isGap(long offset) {
            return new Random(seed * 31 + offset).nextInt(1000) < 150;
        }

        long frontier() {
            return open.isEmpty() ? position : open.first();
        }
    }

    @Property(seed = "815", tries = 150)
    void frontierAndDoneOffsetsAreThoseOfANaiveModel(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 400) int steps) {
        Random random = new Random(seed);
        Model model = new Model(seed, random.nextInt(50));
        OffsetLedger ledger = new OffsetLedger(DoneOffsets.from(model.position));
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> read(random, model, ledger);
                case 4, 5, 6, 7 -> end(random, model, ledger);
                case 8 -> failedCommit(random, model, ledger);
                default -> {
                    if (random.nextBoolean()) {
                        ledger.forget(ledger.frontier());
                    } else {
                        ledger = newOwner(model, ledger);
                    }
                }
            }
            check(model, ledger);
        }
    }

    /// Reads some offsets, skipping those that an earlier owner finished, as the poll loop does. Now and then many at
    /// once, to move the ledger's base.
    private static void read(Random random, Model model, OffsetLedger ledger) {
        int count = random.nextInt(40) == 0 ? 20_000 : random.nextInt(8);
        for (int i = 0; i < count; i++) {
            long offset = model.position;
            model.position++;
            if (model.isGap(offset) || model.done.contains(offset))
                continue;
            ledger.track(offset);
            model.open.add(offset);
        }
        ledger.readUpTo(model.position);
        model.furthest = Math.max(model.furthest, model.position);
    }

    private static void end(Random random, Model model, OffsetLedger ledger) {
        for (long offset : some(random, model)) {
            ledger.complete(offset);
            model.open.remove(offset);
            model.done.add(offset);
        }
    }

    private static void failedCommit(Random random, Model model, OffsetLedger ledger) {
        List<Long> batch = some(random, model);
        batch.forEach(ledger::complete);
        batch.forEach(ledger::reopen);
    }

    private static List<Long> some(Random random, Model model) {
        List<Long> some = new ArrayList<>();
        boolean all = random.nextInt(20) == 0;
        int seen = 0;
        for (long offset : model.open) {
            if (all || random.nextInt(4) == 0)
                some.add(offset);
            if (!all && ++seen > 200)
                break;
        }
        return some;
    }

    /// Starts the next owner at the frontier with the committed metadata; it reads open calls again.
    private static OffsetLedger newOwner(Model model, OffsetLedger ledger) {
        DoneOffsets committed = DoneOffsets.decode(ledger.frontier(), ledger.done().encode());
        model.position = model.frontier();
        model.open.clear();
        model.done.removeIf(offset -> offset < model.position);
        return new OffsetLedger(committed);
    }

    private static void check(Model model, OffsetLedger ledger) {
        assertThat(ledger.frontier()).isEqualTo(model.frontier());
        assertThat(ledger.inFlight()).isEqualTo(model.open.size());
        DoneOffsets done = DoneOffsets.decode(ledger.frontier(), ledger.done().encode());
        assertThat(done).isEqualTo(ledger.done());
        long watched = 0;
        for (long offset : model.open) {
            assertThat(done.isDone(offset)).as("open %s", offset).isFalse();
            if (++watched > 300)
                break;
        }
        for (long offset : model.done.tailSet(model.frontier())) {
            assertThat(done.isDone(offset)).as("done %s", offset).isTrue();
            if (++watched > 600)
                break;
        }
        long end = Math.max(model.position, model.furthest);
        assertThat(done.isDone(end)).as("never read, never done").isFalse();
        for (long offset = model.position; offset < end && offset < model.position + 300; offset++) {
            if (!model.isGap(offset))
                assertThat(done.isDone(offset)).as("not read yet: %s", offset).isEqualTo(model.done.contains(offset));
        }
    }
}
