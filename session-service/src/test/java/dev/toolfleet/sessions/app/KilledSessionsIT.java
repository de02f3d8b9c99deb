package dev.toolfleet.sessions.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.wire.MessageEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Kills the service (SIGKILL) under load.
@EmbeddedKafkaTest
@Timeout(300)
class KilledSessionsIT {
    private static final int INSTANCES = 20;
    private static final int KILLS = 3;
    private static final Duration READY = Duration.ofSeconds(90);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void everyResultHasExactlyOneMessageInOrderThoughTheServiceIsKilled(KafkaFixture kafka) throws Exception {
        try (SessionFleet fleet = new SessionFleet(kafka)) {
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Map<String, List<String>>> feed = CompletableFuture.supplyAsync(() -> feed(fleet, stop),
                    task -> Thread.ofVirtual().start(task));
            for (int kill = 0; kill < KILLS; kill++) {
                try (ChildJvm service = launch(fleet, kill)) {
                    service.awaitReady(READY);
                    int before = fleet.answers().size();
                    Awaitility.await().atMost(PATIENCE).until(() -> fleet.answers().size() > before + 200);
                    service.kill();
                }
            }
            stop.set(true);
            Map<String, List<String>> sent = feed.join();
            int all = sent.values().stream().mapToInt(List::size).sum();
            try (ChildJvm heir = launch(fleet, KILLS)) {
                heir.awaitReady(READY);
                Awaitility.await().atMost(PATIENCE).until(() -> fleet.answers().size() >= all);
            }
            assertThat(byInstance(fleet.answers())).isEqualTo(sent);
        }
    }

    /// Writes turns with two calls each. In every third turn the results come before the message with their calls.
    private static Map<String, List<String>> feed(SessionFleet fleet, AtomicBoolean stop) {
        Map<String, List<String>> sent = new LinkedHashMap<>();
        for (int round = 0; !stop.get(); round++) {
            for (int instance = 0; instance < INSTANCES; instance++) {
                String key = "instance-" + instance;
                int partition = instance % SessionFleet.PARTITIONS;
                List<String> calls = List.of("c0-" + round, "c1-" + round);
                if (round % 3 != 0)
                    fleet.calling(partition, key, "s" + round, calls);
                for (String call : calls) {
                    fleet.result(partition, key, "s" + round, call);
                    sent.computeIfAbsent(key, one -> new ArrayList<>()).add(call);
                }
                if (round % 3 == 0)
                    fleet.calling(partition, key, "s" + round, calls);
            }
        }
        return sent;
    }

    private ChildJvm launch(SessionFleet fleet, int number) {
        return SessionProcess.launch(fleet.bootstrapServers(), fleet.topics(), folder.resolve("state-" + number),
                folder.resolve(number + ".log"));
    }

    private static Map<String, List<String>> byInstance(List<MessageEvent> answers) {
        Map<String, List<String>> calls = new LinkedHashMap<>();
        for (MessageEvent answer : answers) {
            calls.computeIfAbsent(answer.instanceKey(), key -> new ArrayList<>())
                    .add(requireNonNull(requireNonNull(answer.message()).source().toolCallId()));
        }
        return calls;
    }
}
