package dev.toolfleet.example.buildfarm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The module alone: its build processes look for a broker that does not exist, and keep looking.
class BuildsIT {
    private final Builds module = new Builds();
    private final FakeToolContext ctx = FakeToolContext.create();
    private ToolOutput.Pending pending = ToolOutput.pending("none yet", null);
    private BuildProcess process = new BuildProcess(0, Instant.EPOCH, "nowhere");

    @BeforeEach
    void startABuild() throws Exception {
        module.configure(object("{\"bootstrapServers\": \"127.0.0.1:1\"}"));
        pending = (ToolOutput.Pending) requireNonNull(requireNonNull(module.handlers().get("start")).handle(ctx,
                object("{\"branch\": \"broken\"}")));
        process = started().process();
    }

    @AfterEach
    void stopIt() {
        ProcessHandle.of(process.pid()).filter(running -> process.running().isPresent())
                .ifPresent(ProcessHandle::destroyForcibly);
        ctx.close();
    }

    @Test
    void theBuildGoesOnInAProcessOfItsOwn() throws Exception {
        assertThat(process.running()).isPresent();
        assertThat(pending.handle()).isEqualTo("handle-1");
        Path folder = ctx.workdir().resolve(started().folder());
        assertThat(folder.resolve("build.log")).exists();
        assertThat(Files.readString(folder.resolve("src/Greeter.java"))).contains("public int greet");
    }

    @Test
    void theTokenIsDemandedAndOnNoCommandLine() {
        String token = requireNonNull(pending.token());

        assertThat(token).hasSize(32);
        assertThat(process.running().orElseThrow().info().commandLine().orElseThrow()).contains(pending.handle())
                .doesNotContain(token);
        assertThat(Json.MAPPER.writeValueAsString(pending.output())).doesNotContain(token);
    }

    @Test
    void aCancelledBuildEnds() throws Exception {
        ProcessHandle running = process.running().orElseThrow();

        new Builds().cancel("start", work());

        running.onExit().get(60, TimeUnit.SECONDS);
        new Builds().cancel("start", work());
        assertThat(process.running()).isEmpty();
    }

    @Test
    void anotherProcessThatGotTheNumberIsLeftAlone() {
        new BuildProcess(process.pid(), process.startedAt().minusMillis(10), process.host()).stop();

        assertThatThrownBy(() -> process.running().orElseThrow().onExit().orTimeout(300, TimeUnit.MILLISECONDS).join())
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void aBuildOfAnotherMachineIsNotLookedForHere() {
        assertThatThrownBy(() -> new BuildProcess(process.pid(), process.startedAt(), "elsewhere").stop())
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("elsewhere");
    }

    private Builds.Started started() {
        return (Builds.Started) requireNonNull(pending.output());
    }

    private PendingWork work() {
        return new PendingWork(pending.handle(), object("{}"), Json.MAPPER.valueToTree(pending.output()), "instance-1",
                "agent-1", "call-1", Instant.now(), Instant.now().plus(Duration.ofMinutes(15)));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }
}
