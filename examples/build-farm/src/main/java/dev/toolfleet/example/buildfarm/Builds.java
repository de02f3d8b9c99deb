package dev.toolfleet.example.buildfarm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The module of the Tool `build`: starts a build in a separate process and returns a handle at once. That process, not
/// this module, reports progress and the end; this module may be gone by then.
public final class Builds implements ToolModule {
    /// The variable with the fleet's brokers, unless `spec.config.bootstrapServers` names them.
    private static final String BROKERS = "BUILD_FARM_KAFKA";
    private static final int TOKEN_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private volatile String brokers = System.getenv().getOrDefault(BROKERS, "127.0.0.1:9092");

    /// The arguments of `start`.
    record Start(String branch, @Nullable Runner runner) {}

    /// The pending result, shown to the caller; [#cancel] needs it too. The fleet keeps it, so it survives the worker.
    ///
    /// @param folder the folder in the workdir with the build's log and output
    record Started(String message, String folder, BuildProcess process) {}

    @Override
    public void configure(ObjectNode config) {
        brokers = config.path("bootstrapServers").asString(brokers);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("start", ToolHandler.typed(Start.class, this::start));
    }

    private ToolOutput start(ToolContext ctx, Start input) throws IOException {
        Path builds = Files.createDirectories(ctx.workdir().resolve("builds"));
        Path folder = Checkout.of(input.branch(), Files.createTempDirectory(builds, input.branch() + "-"));
        String handle = ctx.newHandle();
        String token = newToken();
        Runner runner = input.runner() == null ? Runner.JAVA : input.runner();

        BuildProcess process = BuildProcess.start(runner.command(handle, folder, brokers), token, folder);
        return ToolOutput.pending(handle, new Started("The build has begun.",
                ctx.workdir().relativize(folder).toString(), process)).demanding(token);
    }

    private String newToken() {
        byte[] token = new byte[TOKEN_BYTES];
        random.nextBytes(token);
        return HexFormat.of().formatHex(token);
    }

    @Override
    public void cancel(String export, PendingWork work) {
        Json.MAPPER.treeToValue(work.output(), Started.class).process().stop();
    }
}
