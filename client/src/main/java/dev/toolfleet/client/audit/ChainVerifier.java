package dev.toolfleet.client.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// Verifies the chains of `tool.audit`: reads the records of each partition in order and reports findings. It holds the
/// heads of at most [#MOST_WRITERS] chains; those that were silent longest go first. Not thread-safe.
public final class ChainVerifier {
    /// The most chains that are followed at a time; about 30 MB.
    public static final int MOST_WRITERS = 100_000;

    private final Map<Integer, Long> from;
    private final Consumer<ChainFinding> findings;
    private final int most;
    private final Map<Chain, ChainHead> heads = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Integer> chained = new HashSet<>();
    private boolean forgotten;
    private long records;
    private long unchained;

    private record Chain(int partition, String writer) {}

    /// Makes a verifier of partitions from these offsets on.
    ///
    /// @param from the first offset that is read, by partition. From 0 on, every chain must be seen from its beginning.
    ///        From a later offset on, the earlier records were removed by retention or are not checked
    /// @param findings receives the findings, in the order of the records
    public ChainVerifier(Map<Integer, Long> from, Consumer<ChainFinding> findings) {
        this(from, findings, MOST_WRITERS);
    }

    ChainVerifier(Map<Integer, Long> from, Consumer<ChainFinding> findings, int most) {
        this.from = Map.copyOf(from);
        this.findings = findings;
        this.most = most;
    }

    /// Checks the next record.
    ///
    /// @return its writer's new head; null when it has no place in a chain
    public @Nullable ChainHead accept(ConsumerRecord<byte[], byte[]> record) {
        records++;
        ChainLink link = ChainLink.of(record.headers()).orElse(null);
        if (link == null) {
            unchained(record);
            return null;
        }
        chained.add(record.partition());
        Chain chain = new Chain(record.partition(), link.writer());
        ChainHead head = heads.get(chain);
        boolean goesOn = head == null ? begins(record, link) : follows(record, link, head);
        if (!goesOn)
            return null;
        ChainHead next = new ChainHead(record.partition(), link.writer(), head == null ? link.sequence() : head.first(),
                link.sequence(), record.offset(),
                ChainLink.digest(record.partition(), record.key(), record.value(), record.headers()), link.end());
        heads.put(chain, next);
        if (heads.size() > most) {
            heads.remove(heads.keySet().iterator().next());
            forgotten = true;
        }
        return next;
    }

    /// Checks a record without chain. Records of earlier releases have none; one that follows chained records is a
    /// finding.
    private void unchained(ConsumerRecord<byte[], byte[]> record) {
        unchained++;
        if (ChainLink.isIn(record.headers()))
            found(ChainFinding.Kind.UNCHAINED, record, "", "its chain headers cannot be read");
        else if (chained.contains(record.partition()))
            found(ChainFinding.Kind.UNCHAINED, record, "",
                    "it has no chain, and stands behind records that have one");
    }

    private boolean begins(ConsumerRecord<byte[], byte[]> record, ChainLink link) {
        if (link.sequence() == 1) {
            if (!link.previous().equals(ChainLink.START))
                found(ChainFinding.Kind.CHANGED, record, link.writer(),
                        "it is the first of its writer and names one before it");
            return true;
        }
        if (forgotten)
            found(ChainFinding.Kind.UNVERIFIED, record, link.writer(), "its chain cannot be followed: more than " + most
                    + " writers are open; verify a shorter time with --since and --until");
        else if (from.getOrDefault(record.partition(), 0L) == 0)
            found(ChainFinding.Kind.MISSING, record, link.writer(),
                    "the first " + (link.sequence() - 1) + " records of its writer are missing");
        return true;
    }

    private boolean follows(ConsumerRecord<byte[], byte[]> record, ChainLink link, ChainHead head) {
        if (link.sequence() <= head.sequence()) {
            found(ChainFinding.Kind.ORDER, record, link.writer(), "it has sequence " + link.sequence() + " behind "
                    + head.sequence() + " at offset " + head.offset());
            return false;
        }
        if (head.closed())
            found(ChainFinding.Kind.AFTER_END, record, link.writer(),
                    "its writer had ended at offset " + head.offset());
        if (link.sequence() > head.sequence() + 1)
            found(ChainFinding.Kind.MISSING, record, link.writer(), (link.sequence() - head.sequence() - 1)
                    + " records of its writer are missing behind offset " + head.offset());
        else if (!link.previous().equals(head.digest()))
            found(ChainFinding.Kind.CHANGED, record, link.writer(), "the record of its writer before it, at offset "
                    + head.offset() + ", is not the one that was written");
        return true;
    }

    private void found(ChainFinding.Kind kind, ConsumerRecord<byte[], byte[]> record, String writer, String text) {
        findings.accept(new ChainFinding(kind, record.partition(), record.offset(), writer, text));
    }

    /// Number of records that were read.
    public long records() {
        return records;
    }

    /// Number of records without a chain.
    public long unchained() {
        return unchained;
    }

    /// True if heads were dropped because there were more writers than can be held.
    public boolean isIncomplete() {
        return forgotten;
    }

    /// The heads of all chains that were seen and are still held, by partition and offset.
    public List<ChainHead> heads() {
        List<ChainHead> sorted = new ArrayList<>(heads.values());
        sorted.sort(Comparator.comparingInt(ChainHead::partition).thenComparingLong(ChainHead::offset));
        return sorted;
    }
}
