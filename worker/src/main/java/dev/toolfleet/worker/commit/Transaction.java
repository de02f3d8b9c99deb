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

/// What goes into one transaction, and, once it was sent, where it came to lie. Owned by the transaction loop's thread.
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

    /// @param handOvers go without an offset: their partitions are somebody else's
    /// @param cut whether more waits, for which the transaction has no room
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

    /// Takes these along, behind everything else.
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

    /// How many things could be published apart from each other; what is fleeting goes with none of them.
    int entries() {
        return handOvers.size() + batches.values().stream().mapToInt(Batch::entries).sum();
    }

    /// Size of those.
    long bytes() {
        return RecordBytes.of(handOvers) + batches.values().stream().mapToLong(Batch::bytes).sum();
    }

    /// Whether more waits, for which the transaction has no room.
    boolean isCut() {
        return cut;
    }

    /// Whether there is nothing to publish and nothing to commit.
    boolean isEmpty() {
        return handOvers.isEmpty() && batches.isEmpty() && fleeting.isEmpty();
    }

    void begun(long nanos) {
        begunNanos = nanos;
    }

    /// When it began, by `System.nanoTime`.
    long begunNanos() {
        return begunNanos;
    }

    /// Whether the record is on its way: a producer that does not know where a topic is says so at once, after it has
    /// asked for as long as it may block.
    boolean sent(Future<RecordMetadata> record) {
        sent.add(record);
        metadataMissing = record.state() == Future.State.FAILED;
        return !metadataMissing;
    }

    void offsetsSent() {
        offsetsSent = true;
    }

    /// Where an outcome's first record lies; null when it has none, or was not sent.
    @Nullable
    RecordMetadata whereabouts(Outcome outcome) {
        Integer index = firstRecord.get(outcome);
        if (index == null || index >= sent.size())
            return null;
        Future<RecordMetadata> record = sent.get(index);
        return record.state() == Future.State.SUCCESS ? record.resultNow() : null;
    }

    /// Why a record could not be written because of what it is; null when that is not what went wrong.
    @Nullable
    Throwable refusal() {
        for (Future<RecordMetadata> record : sent) {
            if (record.state() == Future.State.FAILED && SendFailures.isRefusal(record.exceptionNow()))
                return record.exceptionNow();
        }
        return null;
    }

    /// A topic that refused a record because of its time; null when none did.
    @Nullable
    String clockRefused() {
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).state() == Future.State.FAILED && SendFailures.isOfTheClock(sent.get(i).exceptionNow()))
                return records.get(i).topic();
        }
        return null;
    }

    /// Which topics could not be written while the coordinator could be reached, or are not known; a partition of -1
    /// stands for whichever the key would have chosen.
    Set<TopicPartition> unreachable() {
        Set<TopicPartition> failed = new HashSet<>();
        for (int i = 0; (offsetsSent || metadataMissing) && i < sent.size(); i++) {
            if (sent.get(i).state() == Future.State.FAILED
                    && SendFailures.isUnreachable(sent.get(i).exceptionNow()))
                failed.add(target(records.get(i)));
        }
        return failed;
    }

    /// Where a record goes.
    static TopicPartition target(ProducerRecord<byte[], byte[]> record) {
        Integer partition = record.partition();
        return new TopicPartition(record.topic(), partition == null ? -1 : partition);
    }

    /// The partitions whose frontier it journals.
    List<Integer> journaled() {
        return batches.entrySet().stream().filter(entry -> entry.getValue().frontier() != null)
                .map(Map.Entry::getKey).toList();
    }

    /// Where its records go.
    Set<TopicPartition> targets() {
        Set<TopicPartition> targets = new HashSet<>();
        for (ProducerRecord<byte[], byte[]> record : records)
            targets.add(target(record));
        return targets;
    }

    /// The partitions of calls that write to some of these, and to which.
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
