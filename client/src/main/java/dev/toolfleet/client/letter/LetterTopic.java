package dev.toolfleet.client.letter;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Reads `tool.dead-letter`: letters, and the marks of those that operators have done something with, which stand
/// behind them in the same partition. For one thread.
public final class LetterTopic implements AutoCloseable {
    /// Largest number of letters that are kept; the newest are.
    public static final int MOST = 100_000;
    /// Transactions of workers time out after 10 s, and a coordinator looks for such every 10 s.
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final TopicScan scan;
    private final String topic;
    private final List<TopicPartition> partitions;

    /// Opens a reader with a connection of its own.
    ///
    /// @param topic the name of `tool.dead-letter`
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    public LetterTopic(Map<String, Object> clientProperties, String topic, TopicScan.Gauge gauge) {
        this.topic = topic;
        scan = TopicScan.open(clientProperties, TIMEOUT, gauge);
        try {
            partitions = scan.partitions(topic);
        } catch (RuntimeException e) {
            scan.close();
            throw e;
        }
    }

    /// Found letters.
    ///
    /// @param letters the oldest of each partition first, at most [#MOST]
    /// @param forgotten how many older ones were not remembered
    public record Found(Collection<Letter> letters, long forgotten) {}

    /// The letters of a filter, each with its fate.
    public Found letters(LetterFilter filter, String prefix) {
        Map<LetterAddress, Letter> found = new LinkedHashMap<>();
        long[] forgotten = {0};
        Map<TopicPartition, Long> from = filter.since() == null
                ? scan.beginnings(partitions)
                : scan.since(partitions, filter.since());
        scan.read(from, record -> {
            LetterAddress marked = marked(record);
            if (marked != null) {
                Fate fate = Fate.read(record);
                if (fate != null)
                    found.computeIfPresent(marked, (address, letter) -> letter.with(fate));
                return;
            }
            Letter letter = Letter.of(record);
            if (!filter.means(letter, prefix))
                return;
            found.put(letter.address(), letter);
            if (found.size() > MOST) {
                found.remove(found.keySet().iterator().next());
                forgotten[0]++;
            }
        });
        return new Found(found.values(), forgotten[0]);
    }

    /// Hands out the whole records at these addresses, those of a partition in their order. What is gone is left out.
    public void records(Collection<LetterAddress> addresses, TopicScan.Sink sink) {
        Set<LetterAddress> wanted = new TreeSet<>(addresses);
        Map<TopicPartition, Long> beginnings = scan.beginnings(partitions);
        Map<TopicPartition, Long> ends = scan.ends(partitions);
        Map<TopicPartition, Long> from = new HashMap<>();
        Map<TopicPartition, Long> to = new HashMap<>();
        for (LetterAddress address : wanted) {
            TopicPartition partition = new TopicPartition(topic, address.partition());
            long begin = beginnings.getOrDefault(partition, 0L);
            long end = ends.getOrDefault(partition, 0L);
            if (address.offset() < begin || address.offset() >= end)
                continue;
            from.merge(partition, address.offset(), Math::min);
            to.merge(partition, address.offset() + 1, Math::max);
        }
        scan.read(from, to, record -> {
            if (wanted.contains(Letter.address(record)) && marked(record) == null)
                sink.accept(record);
        });
    }

    /// Fates of these letters, as far as readers see them now.
    public Map<LetterAddress, Fate> fates(Collection<LetterAddress> addresses) {
        Map<TopicPartition, Long> from = from(addresses);
        return fates(addresses, from, scan.ends(from.keySet()));
    }

    /// All that operators have done with these letters. Waits until every transaction that is open in their partitions
    /// has ended: a committed mark may stand behind one.
    ///
    /// @throws TimeoutException when one stays open for longer than 30 s
    public Map<LetterAddress, Fate> allFates(Collection<LetterAddress> addresses) {
        Map<TopicPartition, Long> from = from(addresses);
        try {
            return fates(addresses, from, scan.writtenEnds(from.keySet()));
        } catch (TimeoutException e) {
            throw new TimeoutException(topic
                    + " cannot be read to its end: a transaction on it has been open for more than "
                    + TIMEOUT.toSeconds() + " s, so that it is not known what others did with these letters; nothing"
                    + " was done. See kafka-transactions.sh find-hanging", e);
        }
    }

    private Map<TopicPartition, Long> from(Collection<LetterAddress> addresses) {
        Map<TopicPartition, Long> from = addresses.stream().collect(Collectors.toMap(
                address -> new TopicPartition(topic, address.partition()), LetterAddress::offset, Math::min));
        scan.beginnings(from.keySet()).forEach((partition, begin) -> from.merge(partition, begin, Math::max));
        return from;
    }

    private Map<LetterAddress, Fate> fates(Collection<LetterAddress> addresses, Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends) {
        Set<LetterAddress> wanted = new TreeSet<>(addresses);
        Map<LetterAddress, Fate> fates = new HashMap<>();
        scan.read(from, ends, record -> {
            LetterAddress marked = marked(record);
            Fate fate = marked == null || !wanted.contains(marked) ? null : Fate.read(record);
            if (fate != null)
                fates.put(marked, fate);
        });
        return fates;
    }

    /// The letter that a mark is about; null for a letter. No record becomes a dead letter twice on its way through
    /// this topic, so that whatever names it as its origin is a mark.
    private @Nullable LetterAddress marked(ConsumerRecord<byte[], byte[]> record) {
        return Origin.of(KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN))
                .filter(origin -> origin.topic().equals(topic))
                .map(origin -> new LetterAddress(origin.partition(), origin.offset())).orElse(null);
    }

    @Override
    public void close() {
        scan.close();
    }
}
