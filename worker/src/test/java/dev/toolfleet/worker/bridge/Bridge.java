package dev.toolfleet.worker.bridge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/// Bridge of a test, as a worker has it, without the worker.
final class Bridge implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(2);

    final ServerPool pool;
    private final Sandbox sandbox;

    Bridge(Path workspace) {
        this(workspace, SandboxConfig.OFF);
    }

    Bridge(Path workspace, SandboxConfig config) {
        sandbox = Sandbox.prepare(config, workspace);
        pool = new ServerPool(
                new ServerPool.Host(sandbox, workspace, EgressList.ALL, Map.of("PATH", "/usr/bin:/bin"), PATIENCE));
    }

    boolean hasWalls() {
        return sandbox.hasWalls();
    }

    /// One use of the extension.
    record Use(McpExtension extension, PublishedTools tools) implements AutoCloseable {
        Use awaitTools(String... names) {
            await().until(() -> tools.published().keySet().equals(java.util.Set.of(names)));
            return this;
        }

        @Nullable
        Object call(String tool) throws Exception {
            return call(tool, "{}");
        }

        @Nullable
        Object call(String tool, String args) throws Exception {
            try (FakeToolContext ctx = FakeToolContext.create()) {
                return call(tool, args, ctx);
            }
        }

        @Nullable
        Object call(String tool, String args, FakeToolContext ctx) throws Exception {
            ToolOutput output = tools.tool(tool).handler().handle(ctx, (ObjectNode) Json.MAPPER.readTree(args));
            return output instanceof ToolOutput.Value(Object value) ? value : output;
        }

        ToolException failure(String tool) {
            return requireNonNull(catchThrowableOfType(ToolException.class, () -> call(tool)));
        }

        @Override
        public void close() {
            extension.close();
        }
    }

    static ObjectNode servers(String name, ObjectNode entry) {
        ObjectNode config = Json.MAPPER.createObjectNode();
        config.putObject("servers").set(name, entry);
        return config;
    }

    Use use(String name, ObjectNode entry) {
        return use(servers(name, entry));
    }

    Use use(ObjectNode config) {
        McpExtension extension = new McpExtension(pool);
        PublishedTools tools = new PublishedTools(true);
        extension.register(tools, config);
        return new Use(extension, tools);
    }

    @Override
    public void close() {
        pool.close();
        sandbox.close();
    }
}
