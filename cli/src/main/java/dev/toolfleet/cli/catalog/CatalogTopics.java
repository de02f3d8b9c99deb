package dev.toolfleet.cli.catalog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

import static dev.toolfleet.json.Json.MAPPER;

/// Reads what stands on `tool.catalog.step` and `tool.catalog.content` at this moment: all of it, since the partition
/// of an instance is its producer's choice, and contents are few. Keeps only what is asked for.
final class CatalogTopics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogTopics.class);
    private static final WireCodec<StepCatalog> STEPS = WireCodec.of(StepCatalog.class);
    private static final ObjectReader ITEMS = MAPPER.readerForListOf(ToolCatalogItem.class);
    private static final int OTHERS = 3;

    /// The catalogs of an instance by agent, and the last few of the other instances that have one.
    record Steps(Map<String, StepCatalog> byAgent, SequencedSet<String> otherInstances) {}

    private final RemoteFleet fleet;
    private final TopicScan scan;

    CatalogTopics(RemoteFleet fleet, ProgressNote progress) {
        this.fleet = fleet;
        scan = fleet.scan(progress);
    }

    /// The newest catalog of each agent of the instance.
    Steps steps(String instanceKey) {
        Map<String, StepCatalog> byKey = new HashMap<>();
        SequencedSet<String> others = new LinkedHashSet<>();
        read(Topic.CATALOG_STEP, record -> {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null) {
                byKey.remove(key);
                return;
            }
            StepCatalog step = STEPS.read(record.value());
            if (step.instanceKey().equals(instanceKey)) {
                byKey.merge(key, step, (one, two) -> one.publishedAt().isAfter(two.publishedAt()) ? one : two);
            } else {
                others.addLast(step.instanceKey());
                if (others.size() > OTHERS)
                    others.removeFirst();
            }
        });
        Map<String, StepCatalog> byAgent = new TreeMap<>();
        byKey.values().forEach(step -> byAgent.put(step.agentName(), step));
        return new Steps(byAgent, others);
    }

    /// The contents whose digests are wanted, by digest.
    Map<String, List<ToolCatalogItem>> contents(Predicate<String> wanted) {
        Map<String, List<ToolCatalogItem>> contents = new TreeMap<>();
        read(Topic.CATALOG_CONTENT, record -> {
            String digest = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null)
                contents.remove(digest);
            else if (wanted.test(digest))
                contents.put(digest, new ArrayList<>(ITEMS.<List<ToolCatalogItem>>readValue(record.value())));
        });
        return contents;
    }

    private void read(Topic topic, TopicScan.Sink sink) {
        scan.read(fleet.name(topic), record -> {
            if (record.key() != null)
                readable(record, sink);
        });
    }

    private static void readable(ConsumerRecord<byte[], byte[]> record, TopicScan.Sink sink) {
        try {
            sink.accept(record);
        } catch (WireFormatException | JacksonException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue("offset", record.offset())
                    .setCause(Unquoted.of(e))
                    .log("A record cannot be read and is left alone");
        }
    }

    @Override
    public void close() {
        scan.close();
    }
}
