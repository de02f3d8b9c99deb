package dev.toolfleet.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.hosts.check.ProtocolSchema;
import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.PendingWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The messages of a worker fit the schema of the host protocol.
@Timeout(60)
class WorkerMessagesIT {
    private static final String HANDLERS = """
            export const handlers = {
              echo: (ctx, input) => input,
              begin: (ctx) => ({ __async: true, handle: ctx.newHandle() }),
              wait: (ctx) => new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('stopped'))),
            };
            export const reconcile = () => 'unknown';
            export const poll = () => ({ state: 'running' });
            export const cancel = () => {};
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void eachFitsTheSchema() throws Exception {
        Path recording = folder.resolve("recording");
        Path node = Files.writeString(folder.resolve("node"),
                "#!/bin/bash\nexec 3< <(exec tee '" + recording + "' <&3)\nexec node \"$@\"\n");
        assertThat(node.toFile().setExecutable(true)).isTrue();
        HostsConfig config = new HostsConfig(node.toString(), "python3", HostsConfig.DEFAULT.memory(), 1,
                HostsConfig.DEFAULT.renewal());

        try (HostFixture bundle = new HostFixture(folder.resolve("bundle"), config)) {
            HostFixture.Loaded tool = bundle.file("t.mjs", HANDLERS).tool("t.mjs", "\"config\": {\"n\": 1}", "echo",
                    "begin", "wait");
            converse(bundle, tool);
        }

        List<JsonNode> messages = Files.readAllLines(recording).stream().map(Json.MAPPER::readTree).toList();
        assertThat(messages).extracting(message -> message.path("method").stringValue("")).contains("hello", "load",
                "invoke", "cancel", "reconcile", "poll", "cancelWork");
        for (JsonNode message : messages)
            assertThat(ProtocolSchema.faults(message.path("method").stringValue(""), message)).as("%s", message)
                    .isEmpty();
    }

    private static void converse(HostFixture bundle, HostFixture.Loaded tool) throws Exception {
        ObjectNode input = Json.MAPPER.createObjectNode().put("n", 1);
        PendingWork work = new PendingWork("h", input, null, "office", "clerk", "call-1", Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60));
        try (FakeToolContext ctx = FakeToolContext.create().caller("ada", null)) {
            tool.call("echo", ctx, "{\"n\": 1}");
            tool.output("begin", ctx, "{}");
            tool.module().reconcile("echo", ctx, input);
            tool.module().poll("begin", work);
            tool.module().cancel("begin", work);
            Thread caller = Thread.currentThread();
            Thread.ofVirtual().start(() -> {
                await().until(() -> bundle.hosts().processes().getFirst().inFlight() == 1);
                caller.interrupt();
            });
            assertThat(tool.call("wait", ctx, "{}").stringValue()).isEqualTo("stopped");
        }
    }
}
