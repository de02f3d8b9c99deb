package dev.toolfleet.cli.session;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.bundle.BundleCheck;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.example.chatagent.ChatAgent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The runtime of `examples/chat-agent` is killed in the middle.
@Timeout(240)
class ChatAgentIT {
    private static final Path BUNDLE = Path.of("../examples/chat-agent");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void killedRuntimeGoesOnAndNoCommandRunsTwice() throws Exception {
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()),
                false,
                false, 100);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(BUNDLE)), Map.of(OneJvmFleet.SESSION_HTTP_PORT, "0"));
        try (ProgressNote progress = new ProgressNote(terminal);
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            Process first = start("first", fleet);
            try {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> output("first").contains("step 2:"));
            } finally {
                first.destroyForcibly().waitFor();
            }
            Process second = start("second", fleet);
            try {
                assertThat(second.waitFor(90, TimeUnit.SECONDS)).as(output("second")).isTrue();
            } finally {
                second.destroyForcibly();
            }
            assertThat(output("second")).contains("done: 1 2 3 4").doesNotContain("step 1:");
            JsonNode log = SessionReader.at(URI.create(fleet.sessionUrl().orElseThrow()))
                    .messages("chat-1", "chatter", SessionReader.View.LOG).orElseThrow();
            assertThat(log.path("messages").valueStream().map(message -> message.at("/source/type").asString()))
                    .containsExactly("user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant",
                            "tool", "assistant");
        }
    }

    private Process start(String name, OneJvmFleet fleet) throws IOException {
        List<String> command = List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), ChatAgent.class.getName(), fleet.bootstrapServers(),
                fleet.sessionUrl().orElseThrow(), "chat-1");
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve(name).toFile())
                .start();
    }

    private String output(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
