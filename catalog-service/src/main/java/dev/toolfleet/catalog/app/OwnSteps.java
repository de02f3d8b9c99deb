package dev.toolfleet.catalog.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.catalog.http.Steps;
import dev.toolfleet.catalog.http.Whereabouts;
import dev.toolfleet.catalog.topology.ContentTable;
import dev.toolfleet.catalog.topology.StepQueries;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.json.Json;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import tools.jackson.databind.ObjectReader;

/// Steps and contents of this service's run, and the owners of the others. Thread-safe.
final class OwnSteps implements Steps {
    private static final ObjectReader CONTENT = Json.MAPPER.readerForListOf(ToolCatalogItem.class);
    /// The longest wait for a content. A step is found when it is processed. Its content is found when it is committed
    /// and has come back.
    private static final Duration CONTENT_PATIENCE = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private final StreamsRun run;
    private final String stepTopic;
    private final HostPort self;
    private volatile int partitions;

    /// @param self the address of this service
    OwnSteps(StreamsRun run, String stepTopic, HostPort self) {
        this.run = run;
        this.stepTopic = stepTopic;
        this.self = self;
    }

    /// Sets the number of partitions; nothing is found before.
    void partitions(int count) {
        partitions = count;
    }

    @Override
    public Whereabouts find(String instanceKey, String agentName) {
        Optional<KafkaStreams> streams = run.streams();
        if (streams.isEmpty() || partitions == 0 || !run.isRunning())
            return new Whereabouts.Unclear("partitions are being assigned, or their state is read back");
        try {
            StepQueries queries = new StepQueries(streams.get(), stepTopic);
            Set<Integer> owned = queries.owned();
            Optional<StepCatalog> step = queries.newest(owned, instanceKey, agentName);
            return step.isPresent() ? new Whereabouts.Here(step.get()) : elsewhere(owned, queries.members());
        } catch (InvalidStateStoreException | IllegalStateException e) {
            // Partitions moved while the store was read.
            return new Whereabouts.Unclear("partitions are moving between services");
        }
    }

    private Whereabouts elsewhere(Set<Integer> owned, Map<HostInfo, Set<Integer>> members) {
        List<HostPort> peers = new ArrayList<>();
        Set<Integer> unowned = new TreeSet<>();
        for (int partition = 0; partition < partitions; partition++)
            unowned.add(partition);
        unowned.removeAll(owned);
        members.forEach((member, theirs) -> {
            HostPort peer = new HostPort(member.host(), member.port());
            if (!peer.equals(self) && !theirs.isEmpty()) {
                peers.add(peer);
                unowned.removeAll(theirs);
            }
        });
        return new Whereabouts.NotHere(peers, List.copyOf(unowned));
    }

    @Override
    public Optional<List<ToolCatalogItem>> content(String digest) {
        long giveUp = System.nanoTime() + CONTENT_PATIENCE.toNanos();
        while (true) {
            Optional<byte[]> content = read(digest);
            if (content.isPresent() || System.nanoTime() - giveUp > 0 || Thread.currentThread().isInterrupted())
                return content.map(CONTENT::readValue);
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private Optional<byte[]> read(String digest) {
        try {
            return run.streams().flatMap(streams -> ContentTable.read(streams, digest));
        } catch (InvalidStateStoreException | IllegalStateException e) {
            return Optional.empty();
        }
    }
}
