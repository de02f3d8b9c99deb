package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// One transaction: its records and offsets, and the places of the records once they were sent. Owned by the
/// transaction loop's thread.
final class Transaction {
    private final Map<Integer, Batch> batches;
    private final List<ProducerRecord<byte[], byte[]>> handOvers;
    private final boolean cut;
    private List<ProducerRecord<byte[], byte[]>> fleeting = List.of();
    private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    private final IdentityHashMap<Outcome, Integer> firstRecord = new IdentityHashMap<>();
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private long begunNanos;
    private boolean offsetsSent;
    private boolean metadataMissing;

    /// @param handOvers go without an offset: other workers own their partitions
    /// @param cut whether entries wait for which the transaction has no room
    Transaction(CommitConfig config, Map<Integer, Batch> batches, List<ProducerRecord<byte[], byte[]>> handOvers,
            boolean cut) {
        this.batches = batches;
        this.handOvers = handOvers;
        this.cut = cut;
        records.addAll(handOvers);
        batches.forEach((partition, batch) -> {
            batch.notes().forEach(note -> records.add(note.record()));
            batch.outcomes().forEach(this::add);
            ProducerRecord<byte[], byte[]> frontier = batch.frontier();
            if (frontier != null)
                records.add(frontier);
            offsets.put(config.on(Source.CALLS, partition), batch.offset());
            OffsetAndMetadata resumed = batch.resumed();
            if (resumed != null)
                offsets.put(config.on(Source.RESUMED, partition), resumed);
        });
    }

    private void add(Outcome outcome) {
        if (!outcome.records().isEmpty())
            firstRecord.put(outcome, records.size());
        records.addAll(outcome.records());
    }

    /// Adds records without an offset, behind everything else.
    void carry(List<ProducerRecord<byte[], byte[]>> alongside) {
        fleeting = alongside;
        records.addAll(alongside);
    }

    List<ProducerRecord<byte[], byte[]>> fleeting() {
        return fleeting;
    }

    Map<Integer, Batch> batches() {
        return batches;
    }

    List<ProducerRecord<byte[], byte[]>> handOvers() {
        return handOvers;
    }

    List<ProducerRecord<byte[], byte[]>> records() {
        return records;
    }

    Map<TopicPartition, OffsetAndMetadata> offsets() {
        return offsets;
    }

    /// Number of entries that could be published separately; fleeting records do not count.
    int entries() {
        return handOvers.size() + batches.values().stream().mapToInt(Batch::entries).sum();
    }

    /// Size of these entries.
    long bytes() {
        return RecordBytes.of(handOvers) + batches.values().stream().mapToLong(Batch::bytes).sum();
    }

    /// True if entries wait for which the transaction has no room.
    boolean isCut() {
        return cut;
    }

    /// True if there is nothing to publish and nothing to commit.
    boolean isEmpty() {
        return handOvers.isEmpty() && batches.isEmpty() && fleeting.isEmpty();
    }

    void begun(long nanos) {
        begunNanos = nanos;
    }

    /// Time at which it began, by `System.nanoTime`.
    long begunNanos() {
        return begunNanos;
    }

    /// Notes a sent record. Returns false if the send has failed already: a producer without metadata of the topic
    /// fails at once, after it has blocked for its longest time.
    boolean sent(Future<RecordMetadata> record) {
        sent.add(record);
        metadataMissing = record.state() == Future.State.FAILED;
        return !metadataMissing;
    }

    void offsetsSent() {
        offsetsSent = true;
    }

    /// Returns the place of an outcome's first record; null if it has none, or was not sent.
    @Nullable
    RecordMetadata whereabouts(Outcome outcome) {
        Integer index = firstRecord.get(outcome);
        if (index == null || index >= sent.size())
            return null;
        Future<RecordMetadata> record = sent.get(index);
        return record.state() == Future.State.SUCCESS ? record.resultNow() : null;
    }

    /// Returns the failure of a record that no broker will ever accept; null if there is none.
    @Nullable
    Throwable refusal() {
        for (Future<RecordMetadata> record : sent) {
            if (record.state() == Future.State.FAILED && SendFailures.isRefusal(record.exceptionNow()))
                return record.exceptionNow();
        }
        return null;
    }

    /// Returns a topic that refused a record because of its time; null if none did.
    @Nullable
    String clockRefused() {
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).state() == Future.State.FAILED && SendFailures.isOfTheClock(sent.get(i).exceptionNow()))
                return records.get(i).topic();
        }
        return null;
    }

    /// Returns the topics that could not be written although the coordinator could be reached, or that are unknown. A
    /// partition of -1 stands for the one that the key would have chosen.
    Set<TopicPartition> unreachable() {
        Set<TopicPartition> failed = new HashSet<>();
        for (int i = 0; (offsetsSent || metadataMissing) && i < sent.size(); i++) {
            if (sent.get(i).state() == Future.State.FAILED
                    && SendFailures.isUnreachable(sent.get(i).exceptionNow()))
                failed.add(target(records.get(i)));
        }
        return failed;
    }

    /// Returns the target of a record.
    static TopicPartition target(ProducerRecord<byte[], byte[]> record) {
        Integer partition = record.partition();
        return new TopicPartition(record.topic(), partition == null ? -1 : partition);
    }

    /// Returns the partitions whose frontier it journals.
    List<Integer> journaled() {
        return batches.entrySet().stream().filter(entry -> entry.getValue().frontier() != null)
                .map(Map.Entry::getKey).toList();
    }

    /// Returns the targets of its records.
    Set<TopicPartition> targets() {
        Set<TopicPartition> targets = new HashSet<>();
        for (ProducerRecord<byte[], byte[]> record : records)
            targets.add(target(record));
        return targets;
    }

    /// Returns the partitions of calls that write to some of these targets, each with those targets.
    Map<Integer, Set<TopicPartition>> concerned(Set<TopicPartition> targets) {
        Map<Integer, Set<TopicPartition>> concerned = new HashMap<>();
        if (targets.isEmpty())
            return concerned;
        batches.forEach((partition, batch) -> {
            Set<TopicPartition> own = new HashSet<>();
            batch.outcomes().forEach(outcome -> outcome.records().forEach(record -> own.add(target(record))));
            batch.notes().forEach(note -> own.add(target(note.record())));
            ProducerRecord<byte[], byte[]> frontier = batch.frontier();
            if (frontier != null)
                own.add(target(frontier));
            own.retainAll(targets);
            if (!own.isEmpty())
                concerned.put(partition, own);
        });
        return concerned;
    }
}
