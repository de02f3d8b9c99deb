package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.toolfleet.worker.commit.LoopFixture.Mock;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.errors.TimeoutException;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class BoundedTransactionsPropertyTest {
    private static final int PARTITIONS = 4;
    private static final int CALLS = 60;

    @Property(seed = "1717", tries = 200)
    void noTransactionExceedsItsBoundsAndEachOutcomeIsCommittedOnceInOrder(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 30) int entries, @ForAll @IntRange(min = 10, max = 400) int bytes) {
        Random random = new Random(seed);
        LoopFixture fleet = new LoopFixture(new CommitConfig("calls", "resumed", Duration.ofMillis(2), 64,
                DoneOffsets.MAX_METADATA, entries, bytes)).owning(epochs());
        Map<Integer, List<Long>> open = new HashMap<>();
        Map<Integer, List<String>> finished = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            fleet.tracking(partition, 1, CALLS);
            List<Long> offsets = new ArrayList<>();
            for (long offset = 0; offset < CALLS; offset++)
                offsets.add(offset);
            open.put(partition, offsets);
            finished.put(partition, new ArrayList<>());
        }
        while (open.values().stream().anyMatch(offsets -> !offsets.isEmpty())) {
            int partition = random.nextInt(PARTITIONS);
            List<Long> offsets = requireNonNull(open.get(partition));
            for (int i = random.nextInt(10); i > 0 && !offsets.isEmpty(); i--) {
                long offset = offsets.remove(random.nextInt(offsets.size()));
                String value = partition + "/" + offset + "/" + "x".repeat(random.nextInt(60));
                requireNonNull(finished.get(partition)).add(value);
                fleet.finishWith(partition, 1, offset, value);
            }
            trouble(fleet.producers, random);
            fleet.loop.step();
        }
        fleet.producers.forEach(Mock::heal);
        for (int step = 0; fleet.loop.hasWork(); step++) {
            assertThat(step).as("steps until everything is committed").isLessThan(PARTITIONS * CALLS + 100);
            fleet.loop.step();
        }

        assertThat(fleet.transactions).allSatisfy(transaction -> {
            assertThat(transaction).hasSizeLessThanOrEqualTo(entries);
            if (transaction.size() > 1)
                assertThat(transaction.stream().mapToInt(String::length).sum()).isLessThanOrEqualTo(bytes);
        });
        finished.forEach((partition, values) -> assertThat(
                fleet.published().stream().filter(value -> value.startsWith(partition + "/")).toList())
                .isEqualTo(values));
    }

    private static void trouble(List<Mock> producers, Random random) {
        for (Mock producer : List.copyOf(producers)) {
            producer.sendOffsetsToTransactionException = switch (random.nextInt(6)) {
                case 0 -> new TimeoutException("no coordinator");
                case 1 -> new CommitFailedException();
                default -> null;
            };
        }
    }

    private static Map<Integer, Long> epochs() {
        Map<Integer, Long> epochs = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++)
            epochs.put(partition, 1L);
        return epochs;
    }
}
