package dev.toolfleet.worker.recovery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.RecordWriter;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// What the journal says of the owner of a partition.
class OwnerJournalTest {
    private final List<Position> places = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();
    private final CompletableFuture<@Nullable Long> written = new CompletableFuture<>();
    private final OwnerJournal journal = new OwnerJournal(new IntentJournal.Notes() {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            throw new IllegalStateException("the poll thread must not wait");
        }

        @Override
        public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
            places.add(position);
            sent.add(record);
            return written;
        }

        @Override
        public void handOver(ProducerRecord<byte[], byte[]> record) {
            throw new IllegalStateException("an owner is journaled under its partition's fencing");
        }
    }, new JournalRecords(new RecordWriter(new Topics("acme."), "w1", InstantSource.fixed(Instant.EPOCH))),
            new Ownership(member()), 500, InstantSource.fixed(Instant.EPOCH));

    @Test
    void anAssignmentNamesItsProcessAndWhatItCanHold() {
        assertThat(journal.begins(3, 7, null)).isSameAs(written);

        assertThat(sent).singleElement().satisfies(record -> {
            assertThat(record.topic()).isEqualTo("acme.tool.journal");
            assertThat(record.partition()).isEqualTo(3);
            assertThat(new String(record.key(), UTF_8)).isEqualTo("@owner");
            assertThat(JournalEntry.read(record.value()))
                    .isEqualTo(new PartitionOwner("w1", "member-1", Instant.EPOCH, 500, null));
        });
        assertThat(places).extracting(Position::partition).containsExactly(3);
        assertThat(places).extracting(Position::epoch).containsExactly(7L);
    }

    // Otherwise: this owner loses the partition, lives on, and the death is forgotten.
    @Test
    void anHeirCarriesTheDeathThatItFound() {
        PartitionOwner dead = new PartitionOwner("w0", "member-0", Instant.EPOCH, 500, null).diedBefore(40, 7);

        var _ = journal.begins(3, 7, dead);

        assertThat(sent).singleElement().satisfies(record -> assertThat(JournalEntry.read(record.value()))
                .isEqualTo(new PartitionOwner("w1", "member-1", Instant.EPOCH, 500, dead)));
    }

    @Test
    void anOwnerThatGivesThePartitionUpInOrderIsDeleted() {
        journal.ends(3, 7, null);

        assertThat(sent).singleElement().satisfies(record -> {
            assertThat(new String(record.key(), UTF_8)).isEqualTo("@owner");
            assertThat(record.value()).isNull();
        });
    }

    // Otherwise: the partition moves in order before a call that killed a worker was noted, and it kills two more.
    @Test
    void aDeathThatWasFoundIsLeftToTheNextOwner() {
        PartitionOwner dead = new PartitionOwner("w0", "member-0", Instant.EPOCH, 500, null).diedBefore(40, 7);

        journal.ends(3, 7, dead);

        assertThat(sent).singleElement()
                .satisfies(record -> assertThat(JournalEntry.read(record.value())).isEqualTo(dead));
        assertThat(dead.diedBefore(90, 90)).as("calls that came since then").isEqualTo(dead);
        assertThat(dead.diedBefore(3, 2).callsEnd()).as("a topic that was made anew").isEqualTo(3);
    }

    // The constructor has no successor for tests.
    @SuppressWarnings({"deprecation", "removal"})
    private static ConsumerGroupMetadata member() {
        return new ConsumerGroupMetadata("fleet", 1, "member-1", Optional.empty());
    }
}
