package dev.toolfleet.catalog.sweep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.toolfleet.catalog.topology.CatalogTopology;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.TopicPartition;

/// Removes contents that were not written for a long time and that no step and no open handle names.
///
/// **Why it is safe.** Any number of services may answer steps meanwhile. A task that answers with a content has
/// written it itself within [CatalogTopology#CONTENT_AGAIN_AFTER]. So an unread step names a content that is too young
/// for this round, or one that was written after the read; [Removal] then deletes nothing.
/// `docs/decisions/0023-how-contents-are-removed.md` has the interleavings.
///
/// **Threads.** Each sweep is used by one thread. Several may run at a time; that only costs reading.
public final class ContentSweep {
    /// The largest difference between clocks.
    private static final Duration MARGIN = Duration.ofHours(1);
    /// The longest time that a call is under way after its handle's end.
    private static final Duration AFTER_END = Duration.ofHours(1);

    private final Topics topics;
    private final Map<String, String> kafka;
    private final String transactionalId;
    private final Duration untouched;
    private final Clock clock;

    /// Outcome of a search.
    ///
    /// @param digests the contents that may go
    /// @param readTo the offset up to which `tool.catalog.content` was read
    record Found(Set<String> digests, long readTo) {}

    /// @param kafka client properties, `bootstrap.servers` among them
    /// @param transactionalId of the fleet's sweeps; a later one fences an earlier one
    /// @param retention how long a content stays at least after it was last written
    public ContentSweep(Topics topics, Map<String, String> kafka, String transactionalId, Duration retention,
            Clock clock) {
        this.topics = topics;
        this.kafka = Map.copyOf(kafka);
        this.transactionalId = transactionalId;
        this.untouched = untouched(retention);
        this.clock = clock;
    }

    /// Returns the least time that a content stays after its last write.
    static Duration untouched(Duration retention) {
        return retention.plus(CatalogTopology.CONTENT_AGAIN_AFTER).plus(MARGIN);
    }

    /// Runs one round.
    ///
    /// @return the digests of the removed contents
    /// @throws RuntimeException when a topic cannot be read or written; the next round finds the rest
    public Set<String> run() {
        try (TopicReader reader = new TopicReader(kafka)) {
            Found found = find(reader);
            return found.digests().isEmpty() ? Set.of() : remove(reader, found);
        }
    }

    /// Searches; stops reading topics once nothing is left to remove.
    Found find(TopicReader reader) {
        Instant now = clock.instant();
        WrittenContents contents = new WrittenContents();
        long readTo = reader.committed(contentPartition(), contents::apply);
        Set<String> candidates = contents.untouchedSince(now.minus(untouched));
        Instant deletedSince = now.minus(AFTER_END);
        spare(candidates, reader, Topic.CATALOG_STEP, partition -> References.ofSteps(deletedSince));
        spare(candidates, reader, Topic.PENDING, partition -> References.ofHandles(deletedSince));
        return new Found(Set.copyOf(candidates), readTo);
    }

    private void spare(Set<String> candidates, TopicReader reader, Topic topic,
            Function<TopicPartition, References> start) {
        if (candidates.isEmpty())
            return;
        for (TopicPartition partition : reader.partitions(topics.name(topic))) {
            References references = start.apply(partition);
            reader.committed(partition, references::apply);
            references.all().forEach(candidates::remove);
        }
    }

    Set<String> remove(TopicReader reader, Found found) {
        try (Removal removal = Removal.open(new HashMap<>(kafka), transactionalId, contentPartition(), reader)) {
            return removal.remove(List.copyOf(found.digests()), found.readTo());
        }
    }

    private TopicPartition contentPartition() {
        return new TopicPartition(topics.name(Topic.CATALOG_CONTENT), 0);
    }
}
