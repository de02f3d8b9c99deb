package dev.toolfleet.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Calls whose host breaks, with a host that does so on purpose: the crash table of docs/host-protocol.md.
@Timeout(60)
class HostFaultsIT {
    @TempDir
    Path folder = Path.of(".");

    @TempDir
    Path notes = Path.of(".");

    private HostFixture bundle = new HostFixture(folder);

    @BeforeEach
    void open() {
        bundle = new HostFixture(folder);
    }

    @AfterEach
    void leavesNoProcess() {
        List<Long> pids = bundle.hosts().processes().stream().map(Hosts.ProcessState::pid).toList();
        bundle.close();
        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }

    private HostFixture.Loaded loaded(String... exports) throws Exception {
        return bundle.fakeHost("bin/fake").tool("bin/fake", "", exports);
    }

    private String noting() {
        return "{\"file\": \"" + notes.resolve("starts") + "\"}";
    }

    private List<String> starts() throws Exception {
        return Files.readAllLines(notes.resolve("starts"));
    }

    @Test
    void anIdempotentCallIsStartedOnceMoreOnAnotherProcess() throws Exception {
        HostFixture.Loaded tool = loaded("diesOnce");

        assertThat(tool.call("diesOnce", noting()).stringValue()).isEqualTo("attempt 2");
        assertThat(starts()).containsExactly("1", "2");
        assertThat(bundle.hosts().starts()).isEqualTo(2);
    }

    @Test
    void anIdempotentCallThatEndsTwoProcessesIsNotStartedAgain() throws Exception {
        HostFixture.Loaded tool = loaded("dies");

        assertThatThrownBy(() -> tool.call("dies", noting())).isInstanceOf(ToolException.class)
                .hasMessageContaining("twice").hasMessageContaining("status 9")
                .extracting(failure -> ((ToolException) failure).code()).isEqualTo("E_TOOL");
        assertThat(starts()).containsExactly("1", "2");
    }

    @Test
    void anyOtherCallEndsAsUnknownAndIsNotStartedAgain() throws Exception {
        HostFixture.Loaded tool = loaded("dies!");

        assertThatThrownBy(() -> tool.call("dies", noting())).isInstanceOf(ToolException.class)
                .extracting(failure -> ((ToolException) failure).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(starts()).containsExactly("1");
    }

    @ParameterizedTest
    @CsvSource({"happened, it happened, 1", "didNotHappen, attempt 2, 2", "unknown, E_TOOL_OUTCOME_UNKNOWN, 1"})
    void reconcileDecidesAboutACallThatMayHaveHappened(String verdict, String outcome, int handlerStarts)
            throws Exception {
        HostFixture.Loaded tool = bundle.fakeHost("bin/fake", "reconcile=" + verdict).tool("bin/fake", "",
                "diesOnce!");

        String actual;
        try {
            actual = tool.call("diesOnce", noting()).stringValue();
        } catch (ToolException e) {
            actual = e.code();
        }
        assertThat(actual).isEqualTo(outcome);
        assertThat(starts()).hasSize(handlerStarts);
    }

    @Test
    void anAnswerBeforeTheEndOfTheProcessCounts() throws Exception {
        HostFixture.Loaded tool = loaded("answersAndDies!");

        for (int i = 0; i < 2; i++) {
            assertThat(tool.call("answersAndDies", noting()).stringValue()).isEqualTo("done");
            // Otherwise: the process gets the next call too before it ends.
            await().until(() -> bundle.hosts().processes().isEmpty());
        }
        assertThat(starts()).hasSize(2);
    }

    @Test
    void aProcessThatEndsThreeTimesInAMinuteIsPausedAndTheHandlerHasNoCallThen() throws Exception {
        HostFixture.Loaded tool = loaded("dies!", "echo");
        for (int i = 0; i < RestartBreaker.MOST; i++)
            assertThatThrownBy(() -> tool.call("dies", noting())).hasMessageContaining("gave no answer");

        assertThatThrownBy(() -> tool.call("echo", noting())).isInstanceOf(ToolException.class)
                .hasMessageContaining("ended 3 times within a minute").hasMessageContaining("status 9")
                .extracting(failure -> ((ToolException) failure).code()).isEqualTo("E_TOOL_HOST_DOWN");
        assertThat(starts()).hasSize(RestartBreaker.MOST);
        assertThat(bundle.hosts().refusals()).containsOnlyKeys("acme (bin/fake, process)");
    }

    @ParameterizedTest
    @CsvSource({"garbles, no JSON", "floods, more than 4194304 bytes"})
    void anAnswerThatCannotBeReadEndsItsOwnCallOnly(String export, String reason) throws Exception {
        HostFixture.Loaded tool = loaded(export + "!", "echo");

        assertThatThrownBy(() -> tool.call(export, "{}")).isInstanceOf(ToolException.class)
                .hasMessageContaining(reason).extracting(failure -> ((ToolException) failure).code())
                .isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(tool.call("echo", "{\"a\": 1}").path("a").intValue()).isEqualTo(1);
        assertThat(bundle.hosts().starts()).isEqualTo(1);
    }

    @Test
    void theTenthFaultOfAProcessEndsIt() throws Exception {
        HostFixture.Loaded tool = loaded("errs!");

        assertThatThrownBy(() -> tool.call("errs", "{}")).isInstanceOf(ToolException.class)
                .hasMessageContaining("broke the protocol 10 times")
                .extracting(failure -> ((ToolException) failure).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        await().untilAsserted(() -> assertThat(bundle.hosts().processes()).isEmpty());
    }

    @Test
    void aHostThatNeverTurnsIsEnded() throws Exception {
        HostFixture.Loaded tool = loaded("loops!");

        assertThatThrownBy(() -> tool.call("loops", "{}")).isInstanceOf(ToolException.class)
                .hasMessageContaining("`ping`");
    }

    @Test
    void aCancelledHandlerMayStillAnswer() throws Exception {
        HostFixture.Loaded tool = loaded("untilCancelled!");

        assertThat(interrupted(tool, "untilCancelled").stringValue()).isEqualTo("cancelled");
        assertThat(bundle.hosts().processes()).hasSize(1);
    }

    @Test
    void aHandlerThatDoesNotEndCostsItsProcessOnceTheOthersHaveEnded() throws Exception {
        HostFixture.Loaded tool = loaded("never!", "echo");

        assertThatThrownBy(() -> interrupted(tool, "never")).hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(tool.call("echo", "{\"a\": 1}").path("a").intValue()).as("another process").isEqualTo(1);
        assertThat(bundle.hosts().starts()).isEqualTo(2);
        assertThat(bundle.hosts().refusals()).as("no death").isEmpty();
    }

    private static JsonNode interrupted(HostFixture.Loaded tool, String export) throws Exception {
        try (FakeToolContext ctx = FakeToolContext.create()) {
            FutureTask<JsonNode> call = new FutureTask<>(() -> tool.call(export, ctx, "{}"));
            Thread thread = Thread.ofVirtual().start(call);
            await().until(() -> thread.getState() == Thread.State.WAITING);
            await().during(Duration.ofMillis(300)).until(() -> thread.getState() == Thread.State.WAITING);
            thread.interrupt();
            try {
                return call.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"exit, status 3; its last words: no oven is hot", "old, version 0 of the host protocol"})
    void aHostThatDoesNotStartIsNamedWithItsReason(String fault, String reason) throws Exception {
        HostFixture.Loaded tool = bundle.fakeHost("bin/fake", fault).tool("bin/fake", "", "echo");

        assertThatThrownBy(() -> tool.module().handlers()).isInstanceOf(ModuleLoadException.class)
                .hasMessageContaining("bin/fake").hasMessageContaining(reason);
    }

    @Test
    void aProgramThatTheMachineLacksIsNamedWithItsSetting() throws Exception {
        try (HostFixture other = new HostFixture(folder,
                new HostsConfig("no-such-node", "python3", HostsConfig.DEFAULT.memory(), 1,
                        HostsConfig.DEFAULT.renewal()))) {
            HostFixture.Loaded tool = other.file("t.mjs", "export const handlers = {};").tool("t.mjs", "", "echo");

            assertThatThrownBy(() -> tool.module().handlers()).isInstanceOf(ModuleLoadException.class)
                    .hasMessageContaining("no-such-node").hasMessageContaining("worker.hosts.node")
                    .hasMessageContaining("Node 20");
        }
    }
}
