package dev.toolfleet.gateway.readers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that follows `tool.resource` and shows the declarations.
///
/// **Contract.** [#start] returns once the topic has been read to the end that it had. A connection that breaks is made
/// anew, and the topic read again from its beginning; meanwhile the earlier declarations are shown. Otherwise: old
/// records, read a second time, show bundles that were replaced long ago.
///
/// **Threads.** The loop's thread owns the consumer. Any thread reads the declarations.
final class ResourceLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceLoop.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration BACK_OFF = Duration.ofSeconds(1);

    private final Map<String, String> kafka;
    private final List<TopicPartition> partitions;
    private final BundleTrust trust;
    private final Thread thread = Thread.ofPlatform().daemon().name("gateway-resources").unstarted(this::run);
    private final CountDownLatch read = new CountDownLatch(1);
    private volatile FleetResources resources = FleetResources.EMPTY;
    private volatile @Nullable TopicScan scan;
    private volatile boolean closed;

    /// @param kafka client properties
    /// @param topic the name of `tool.resource`, which has one partition
    /// @param trust decides whose bundles are shown, as in the workers
    ResourceLoop(Map<String, String> kafka, String topic, BundleTrust trust) {
        this.kafka = kafka;
        this.partitions = TopicScan.partitions(topic, 1);
        this.trust = trust;
    }

    /// Starts to follow, and waits until the topic has been read.
    ///
    /// @throws IllegalStateException with one line for a person, when it has not been read in time
    void start(Duration within) {
        thread.start();
        try {
            if (read.await(within.toMillis(), TimeUnit.MILLISECONDS))
                return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        throw new IllegalStateException(partitions.getFirst().topic() + " has not been read to its end within "
                + within.toSeconds() + " s; see that the broker can be reached");
    }

    /// Returns the declarations of the moment.
    FleetResources resources() {
        return resources;
    }

    private void run() {
        while (!closed) {
            try (TopicScan opened = TopicScan.following(kafka, SILENCE, partitions)) {
                scan = opened;
                follow(opened);
            } catch (KafkaException e) {
                pause(e);
            } finally {
                scan = null;
            }
        }
    }

    private void follow(TopicScan opened) {
        ResourceTable table = new ResourceTable(trust);
        Map<TopicPartition, Long> ends = opened.ends(partitions);
        boolean caughtUp = false;
        while (!closed) {
            opened.poll(POLL).forEach(record -> apply(record, table));
            caughtUp = caughtUp || opened.isAt(ends);
            if (caughtUp) {
                resources = table.view();
                read.countDown();
            }
        }
    }

    private static void apply(ConsumerRecord<byte[], byte[]> record, ResourceTable table) {
        if (record.key() == null)
            return;
        try {
            table.apply(new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : CODEC.read(record.value()));
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(ListLogKeys.TOPIC, record.topic()).addKeyValue(ListLogKeys.OFFSET, record.offset())
                    .setCause(Unquoted.of(e)).log("record left out: no declaration");
        }
    }

    private void pause(KafkaException broken) {
        if (closed)
            return;
        LOG.atWarn().addKeyValue(ListLogKeys.TOPIC, partitions.getFirst().topic())
                .addKeyValue(ListLogKeys.REASON, broken.getMessage())
                .log("declarations cannot be followed, trying again");
        try {
            Thread.sleep(BACK_OFF);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /// Ends the loop, within some seconds. Closing again does nothing.
    @Override
    public void close() {
        closed = true;
        TopicScan running = scan;
        if (running != null)
            running.stop();
        if (thread.getState() == Thread.State.NEW)
            return;
        try {
            var _ = thread.join(SILENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
