package dev.toolfleet.cli.play;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Writes every record of `tool.result` as one line, as it stands on the topic, from the beginning: results of one
/// instance in their order, since they share a partition. Owns a thread.
final class ResultTail implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final TopicScan scan;
    private final Results results;
    private final PrintWriter out;
    private final CountDownLatch finishing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable RuntimeException problem;

    ResultTail(String topic, Map<String, Object> clientProperties, Results results) {
        this.scan = TopicScan.following(clientProperties, TIMEOUT,
                TopicScan.partitions(topic, FleetPlan.PARTITIONS));
        this.results = results;
        this.out = results.writer();
        this.thread = Thread.ofPlatform().name("toolfleet-results").start(this::run);
    }

    /// Writes what stands on the topic now, and ends.
    ///
    /// @throws KafkaException when the topic could not be read
    /// @throws dev.toolfleet.cli.terminal.Failure when a result could not be written
    void finish() throws InterruptedException {
        finishing.countDown();
        thread.join();
        RuntimeException failed = problem;
        if (failed != null)
            throw failed;
        results.check();
    }

    private void run() {
        try (scan) {
            while (finishing.getCount() > 0) {
                scan.poll(POLL).forEach(this::write);
                out.flush();
            }
            scan.readRest(this::write);
        } catch (KafkaException e) {
            problem = e;
        }
        out.flush();
    }

    private void write(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() != null)
            out.println(line(record.value()));
    }

    private static String line(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0 ? text : Json.MAPPER.readTree(text).toString();
    }

    @Override
    public void close() {
        finishing.countDown();
        scan.stop();
        try {
            thread.join(POLL.plus(GRACE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
