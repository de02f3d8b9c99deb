package dev.toolfleet.worker.assignment;

import java.time.Duration;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OwnershipTest {
    private boolean expired;
    private final ConsumerGroupMetadata group;
    private final Ownership ownership;

    OwnershipTest() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            group = member.groupMetadata();
            ownership = new Ownership(group, new Lease() {
                @Override
                public boolean expired() {
                    return expired;
                }

                @Override
                public Duration age() {
                    return Duration.ZERO;
                }
            });
        }
        ownership.publish(new Ownership.Snapshot(group, Map.of(3, 7L)));
    }

    @Test
    void withoutItsLeaseAWorkerOwnsNothing() {
        assertThat(ownership.current().owns(3, 7)).isTrue();

        expired = true;

        assertThat(ownership.current().owns(3, 7)).isFalse();
        assertThat(ownership.current().group()).as("what commits carry").isSameAs(group);
    }

    @Test
    void aLeaseThatComesBackGivesNothingBackUntilItIsOpened() {
        expired = true;
        assertThat(ownership.isFenced()).isTrue();
        assertThat(ownership.open()).isFalse();

        expired = false;
        assertThat(ownership.current().epochs()).isEmpty();
        ownership.publish(new Ownership.Snapshot(group, Map.of(3, 8L)));
        assertThat(ownership.current().epochs()).isEmpty();

        assertThat(ownership.open()).isTrue();
        assertThat(ownership.current().epochs()).containsOnly(Map.entry(3, 8L));
    }
}
