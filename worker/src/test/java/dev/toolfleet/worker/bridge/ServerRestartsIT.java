package dev.toolfleet.worker.bridge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import dev.toolfleet.mcp.client.ToolRequest;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A server that dies all the time. No other test starts processes meanwhile.
@Isolated
class ServerRestartsIT {
    private static final int RESTARTS = 1_000;
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of(".");

    /// Each process leaves a grandchild in a session of its own, and dies in a call or by a signal.
    @Test
    void aThousandRestartsLeaveNoProcessAndNoThread() throws Exception {
        ShellServer server = ShellServer.in(folder, "children", "die");
        AtomicLong starts = new AtomicLong();
        Set<Long> threads = threads();
        List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
        try (Sandbox sandbox = Sandbox.prepare(SandboxConfig.OFF, folder)) {
            ServerAddress.Program address = (ServerAddress.Program) new BridgeConfig(name -> null,
                    dev.toolfleet.worker.egress.EgressList.ALL).servers(Bridge.servers("sky", server.entry("")))
                    .getFirst().address();
            ServerLink link = ServerLink.start("sky",
                    ProgramServer.connector("sky", address, sandbox, folder, Map.of("PATH", "/usr/bin:/bin")),
                    (now, lived) -> new RestartPause.Next(Duration.ofMillis(1), false), A_MINUTE, starts);
            for (int i = 0; i < RESTARTS; i++)
                die(link, i, starts);
            await().atMost(SOON).until(() -> starts.get() > RESTARTS && link.isOpen());
            link.close();
        }

        assertThat(server.notes("pids").size()).isGreaterThanOrEqualTo(RESTARTS);
        assertThat(server.living()).isEmpty();
        await().untilAsserted(() -> assertThat(ProcessHandle.current().descendants()).isSubsetOf(before));
        assertThat(everywhere("sleep 1000")).as("grandchildren").isEmpty();
        await().untilAsserted(() -> assertThat(threads()).as("threads of servers").isSubsetOf(threads));
    }

    private static void die(ServerLink link, int round, AtomicLong starts) throws Exception {
        long start = starts.get();
        OpenServer open = link.await(java.time.Instant.now().plus(A_MINUTE));
        if (round % 10 == 0)
            open.client().call(ToolRequest.of("children", McpJson.object()), progress -> {}).await(A_MINUTE);
        open.client().call(ToolRequest.of("die", McpJson.object()), progress -> {}).await(A_MINUTE);
        assertThat(open.client().isOpen()).isFalse();
        assertThat(starts.get()).isGreaterThanOrEqualTo(start);
    }

    private static List<String> everywhere(String command) {
        return ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.endsWith(command)).toList();
    }

    private static Set<Long> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("mcp"))
                .map(Thread::threadId).collect(Collectors.toSet());
    }
}
