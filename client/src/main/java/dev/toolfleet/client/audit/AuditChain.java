package dev.toolfleet.client.audit;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/// Chains of one writer, one in each partition of `tool.audit` to which it writes. A transaction that is aborted leaves
/// no trace: the chains go on from the last committed record. Not thread-safe.
final class AuditChain {
    private final String writer;
    private Map<Integer, Head> committed = Map.of();
    private Map<Integer, Head> open = new HashMap<>();

    private record Head(long sequence, String digest) {}

    AuditChain(String writer) {
        this.writer = writer;
    }

    /// Adds the next link of the partition to the headers.
    ///
    /// @param end true if this is the writer's last record there
    void seal(int partition, byte @Nullable [] key, byte @Nullable [] value, Headers headers, boolean end) {
        Head head = open.get(partition);
        ChainLink link = head == null
                ? new ChainLink(writer, 1, ChainLink.START, end)
                : new ChainLink(writer, head.sequence() + 1, head.digest(), end);
        link.addTo(headers);
        open.put(partition, new Head(link.sequence(), ChainLink.digest(partition, key, value, headers)));
    }

    /// Commits the links: others can now read the records since the last commit.
    void committed() {
        committed = Map.copyOf(open);
    }

    /// Drops the links since the last commit: others will never read those records.
    void aborted() {
        open = new HashMap<>(committed);
    }

    /// Partitions in which the writer has committed records.
    Set<Integer> partitions() {
        return new TreeSet<>(committed.keySet());
    }
}
