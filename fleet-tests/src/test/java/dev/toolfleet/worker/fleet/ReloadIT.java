package dev.toolfleet.worker.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// New revisions, and files that are missing, while a worker runs.
@EmbeddedKafkaTest
class ReloadIT {
    @TempDir
    private Path folder;

    @Test
    void aCallInFlightEndsOnTheOldCodeAndItsClassLoaderIsReleased(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            Path jar = folder.resolve(TinyJar.FILE);
            HandMade made = new HandMade(fleet).apply(Map.of(TinyJar.FILE, TinyJar.write(jar, "one")), tiny(),
                    TestResources.agent("pilot", "Tool/tiny"));
            Worker worker = fleet.worker("w1");
            made.step("old", "s1", 1, made.content(made.items()));
            ToolCall held = call("c1", "old", true);
            fleet.send(held);
            TinyJar.awaitHeld();

            made.apply(Map.of(TinyJar.FILE, TinyJar.write(jar, "two")), tiny(),
                    TestResources.agent("pilot", "Tool/tiny"));
            made.step("new", "s1", 1, made.content(made.items()));
            ToolCall fresh = call("c2", "new", false);
            fleet.send(fresh);
            assertThat(answer(fleet.result(fresh, result -> true))).isEqualTo("two");
            assertThat(worker.revision("acme")).isEqualTo(2);
            assertThat(TinyJar.isReleased("one")).isFalse();

            TinyJar.release();
            assertThat(answer(fleet.result(held, result -> true))).isEqualTo("one");
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                System.gc();
                return TinyJar.isReleased("one");
            });
            assertThat(TinyJar.isReleased("two")).isFalse();
        }
    }

    @Test
    void aMissingOrDifferentFileMakesAWorkerUnreadyByNameUntilItIsThere(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            Worker worker = fleet.worker("w1");
            Path jar = folder.resolve(TinyJar.FILE);
            String digest = TinyJar.write(jar, "right");
            Path away = folder.resolve("away.jar");
            Files.move(jar, away);

            HandMade made = new HandMade(fleet).apply(Map.of(TinyJar.FILE, digest), tiny(),
                    TestResources.agent("pilot", "Tool/tiny"));
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(worker.notReady()).singleElement().asString()
                            .contains("acme/tiny", "lib/tiny.jar", digest, "missing"));
            Files.writeString(jar, "another file");
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(worker.notReady()).singleElement()
                    .asString().contains("acme/tiny", "lib/tiny.jar", digest, "another one"));

            Files.delete(jar);
            Files.move(away, jar);
            assertThat(worker.awaitReady(Duration.ofSeconds(60))).isTrue();
            made.step("i", "s1", 1, made.content(made.items()));
            ToolCall call = call("c1", "i", false);
            fleet.send(call);
            assertThat(answer(fleet.result(call, result -> true))).isEqualTo("right");
        }
    }

    private static ToolCall call(String id, String instance, boolean hold) {
        return HandMade.call(id, "tiny__run", instance, "s1", 1, Map.of("hold", hold));
    }

    private static String answer(ToolResult result) {
        return requireNonNull(result.output(), String.valueOf(result.error())).path("answer").asString();
    }

    private static ObjectNode tiny() {
        ObjectNode tool = TestResources.tool("tiny", ReloadIT.class, "run");
        tool.withObject("spec").put("entry", TinyJar.ENTRY);
        TestResources.export(tool, "run").put("timeout", "5m");
        return tool;
    }
}
