package dev.toolfleet.hosts;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Hosts behind the walls of the sandbox.
@Timeout(60)
class HostWallsIT {
    private static final String CODE = """
            import { readFileSync, writeFileSync, existsSync } from 'node:fs';
            import { connect } from 'node:net';

            const attempt = action => { try { return String(action()); } catch (e) { return e.code ?? String(e); } };

            export const handlers = {
              look: (ctx, input) => ({
                secret: attempt(() => readFileSync(input.secret, 'utf8')),
                own: attempt(() => { writeFileSync(`${ctx.workdir}/mine`, 'x'); return 'written'; }),
                code: attempt(() => { writeFileSync(new URL(import.meta.url), 'x'); return 'written'; }),
                environment: Object.keys(process.env).filter(name => name.includes('SECRET')).length,
                worker: attempt(() => readFileSync(`/proc/${process.ppid}/environ`, 'utf8').includes('SECRET')),
              }),
              dial: (ctx, input) => new Promise(resolve => {
                const socket = connect(input.port, '127.0.0.1', () => { socket.destroy(); resolve('connected'); });
                socket.on('error', e => resolve(e.code));
              }),
              loop: () => { while (true); },
            };
            """;

    @TempDir
    Path folder = Path.of(".");

    private Path root = folder;
    private HostFixture bundle = new HostFixture(folder);

    @BeforeEach
    void open() throws Exception {
        bundle.close();
        root = folder.toRealPath();
        Sandbox sandbox = Sandbox.prepare(
                new SandboxConfig(Mode.PREFERRED, new Network.None(),
                        new Limits(64, 512L << 20, Duration.ofSeconds(20), 8L << 20), List.of()),
                root.resolve("workspace"));
        if ("required".equals(System.getenv("SANDBOX_TESTS")))
            assertThat(sandbox.hasWalls()).as("%s", sandbox.notices()).isTrue();
        else
            assumeTrue(sandbox.hasWalls(), () -> String.valueOf(sandbox.notices()));
        bundle = new HostFixture(root, HostsConfig.DEFAULT, Map.of("TOOLFLEET_SECRET", "hush"), sandbox)
                .file("t.mjs", CODE);
    }

    @AfterEach
    void close() {
        bundle.close();
    }

    private FakeToolContext ctx() throws Exception {
        return FakeToolContext.in(Files.createDirectories(root.resolve("workspace/instance")));
    }

    @Test
    void aHandlerSeesTheInstancesFoldersAndNothingElseOfTheWorker() throws Exception {
        HostFixture.Loaded tool = bundle.tool("t.mjs", "", "look", "dial", "loop");
        Path secret = Files.writeString(root.resolve("secret"), "hush");

        try (FakeToolContext ctx = ctx()) {
            JsonNode seen = tool.call("look", ctx, "{\"secret\": \"" + secret + "\"}");

            assertThat(seen.path("secret").stringValue()).isEqualTo("ENOENT");
            assertThat(seen.path("own").stringValue()).isEqualTo("written");
            assertThat(seen.path("code").stringValue()).isEqualTo("EROFS");
            assertThat(seen.path("environment").intValue()).isZero();
            assertThat(seen.path("worker").stringValue()).isNotEqualTo("true");
        }
        assertThat(root.resolve("workspace/instance/mine")).hasContent("x");
    }

    @Test
    void theNetworkIsTheWorkersUnlessTheToolDoesWithout() throws Exception {
        try (ServerSocket server = new ServerSocket(0); FakeToolContext ctx = ctx()) {
            String port = "{\"port\": " + server.getLocalPort() + "}";

            assertThat(bundle.tool("t.mjs", "", "look", "dial", "loop").call("dial", ctx, port).stringValue())
                    .isEqualTo("connected");
            assertThat(bundle.tool("t.mjs", "\"network\": false", "look", "dial", "loop").call("dial", ctx, port)
                    .stringValue()).isEqualTo("ECONNREFUSED");
        }
    }

    @Test
    void nothingOfAHostIsLeftBehindItsWalls() throws Exception {
        HostFixture.Loaded tool = bundle.tool("t.mjs", "", "look", "dial", "loop");
        tool.handlers();
        List<ProcessHandle> family = ProcessHandle.of(bundle.hosts().processes().getFirst().pid()).stream()
                .flatMap(host -> java.util.stream.Stream.concat(java.util.stream.Stream.of(host), host.descendants()))
                .toList();
        assertThat(family).hasSizeGreaterThan(1);

        tool.close();

        await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    }
}
