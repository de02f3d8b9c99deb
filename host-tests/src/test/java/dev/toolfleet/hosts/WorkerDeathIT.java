package dev.toolfleet.hosts;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.testkit.FakeToolContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A worker that is killed takes its hosts with it, also one whose handler never looks up.
class WorkerDeathIT {
    @TempDir
    Path folder = Path.of(".");

    @ParameterizedTest
    @ValueSource(strings = {"idle", "waits", "loops"})
    @Timeout(60)
    void leavesNoHost(String handler) throws Exception {
        Process worker = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
                System.getProperty("java.class.path"), Victim.class.getName(), folder.toString(), handler)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        long host;
        try (BufferedReader out = worker.inputReader()) {
            String line = out.readLine();
            while (line != null && !line.startsWith("host "))
                line = out.readLine();
            assertThat(line).isNotNull();
            host = Long.parseLong(line.substring("host ".length()));
            assertThat(ProcessHandle.of(host)).isPresent();
        } finally {
            worker.destroyForcibly();
        }
        assertThat(worker.waitFor(10, TimeUnit.SECONDS)).isTrue();

        await().until(() -> ProcessHandle.of(host).filter(ProcessHandle::isAlive).isEmpty());
    }

    /// Worker with one call at work, which prints the id of its host.
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws Exception {
            HostFixture bundle = new HostFixture(Path.of(args[0])).file("t.mjs", """
                    export const handlers = {
                      idle: () => 1,
                      waits: (ctx) => { ctx.progress(1, 'begun'); return new Promise(r => setTimeout(r, 100000)); },
                      loops: (ctx) => { ctx.progress(1, 'begun'); setTimeout(() => { while (true) {} }, 100);
                        return new Promise(() => {}); },
                    };
                    """);
            HostFixture.Loaded tool = bundle.tool("t.mjs", "", "idle", "waits", "loops");
            FakeToolContext ctx = FakeToolContext.in(Path.of(args[0]));
            Thread call = Thread.ofPlatform().daemon().start(() -> call(tool, args[1], ctx));
            if (args[1].equals("idle"))
                call.join();
            else
                await().until(() -> !ctx.progressed().isEmpty());
            if (args[1].equals("loops"))
                Thread.sleep(500); // The loop has begun, and is not noticed yet.
            List<Hosts.ProcessState> hosts = bundle.hosts().processes();
            System.out.println("host " + hosts.getFirst().pid());
            Thread.sleep(60_000);
        }

        private static void call(HostFixture.Loaded tool, String handler, FakeToolContext ctx) {
            try {
                JsonNode answer = tool.call(handler, ctx, "{}");
                System.out.println("answer " + answer);
            } catch (Exception e) {
                System.out.println("failed " + e);
            }
        }
    }
}
