package dev.toolfleet.cli.session;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.Main;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.example.chatagent.ChatAgent;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The runtime of `examples/chat-agent` is killed in the middle, alone and with its whole fleet.
@Timeout(240)
class ChatAgentIT {
    private static final Path BUNDLE = Path.of("../examples/chat-agent");

    private static final Pattern BROKER = Pattern.compile("broker +(\\S+:\\d+)");
    private static final Pattern SESSIONS = Pattern.compile("sessions +(http://\\S+)");

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

    /// Broker, catalog service, worker, gateway, session service and runtime die at once, in the middle of the
    /// conversation.
    @Test
    void whenEveryProcessIsKilledTheConversationGoesOnAndNoCommandRunsTwice() throws Exception {
        Process fleet = dev("fleet-1");
        Process runtime = agent("agent-1", shown("fleet-1", BROKER), shown("fleet-1", SESSIONS));
        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> output("agent-1").contains("step 2:"));
        } finally {
            fleet.destroyForcibly();
            runtime.destroyForcibly().waitFor();
            fleet.waitFor();
        }
        Process restarted = dev("fleet-2");
        try {
            Process second = agent("agent-2", shown("fleet-2", BROKER), shown("fleet-2", SESSIONS));
            assertThat(second.waitFor(90, TimeUnit.SECONDS)).as(output("agent-2")).isTrue();
            assertThat(output("agent-2")).contains("done: 1 2 3 4").doesNotContain("step 1:");
            JsonNode model = SessionReader.at(URI.create(shown("fleet-2", SESSIONS)))
                    .messages("chat-1", "chatter", SessionReader.View.MODEL).orElseThrow();
            assertThat(model.path("findings")).isEmpty();
            assertThat(model.path("messages").valueStream().map(message -> message.at("/data/role").asString()))
                    .containsExactly("user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant",
                            "tool", "assistant");
        } finally {
            restarted.destroyForcibly().waitFor();
        }
    }

    /// Starts a fleet whose data outlive it.
    private Process dev(String name) throws IOException {
        Process process = java(name, Main.class.getName(), "dev", "--port", "0", "--data",
                folder.resolve("data").toString(), "--bundle", BUNDLE.toString());
        Awaitility.await().atMost(Duration.ofMinutes(2))
                .until(() -> !process.isAlive() || output(name).contains("Try, in another terminal"));
        assertThat(process.isAlive()).as(output(name)).isTrue();
        return process;
    }

    private String shown(String name, Pattern line) throws IOException {
        Matcher matcher = line.matcher(output(name));
        assertThat(matcher.find()).as(output(name)).isTrue();
        return matcher.group(1);
    }

    private Process start(String name, OneJvmFleet fleet) throws IOException {
        return agent(name, fleet.bootstrapServers(), fleet.sessionUrl().orElseThrow());
    }

    private Process agent(String name, String bootstrapServers, String sessionUrl) throws IOException {
        return java(name, ChatAgent.class.getName(), bootstrapServers, sessionUrl, "chat-1");
    }

    private Process java(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(ChildJvm.FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve(name).toFile())
                .start();
    }

    private String output(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
