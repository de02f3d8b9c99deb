package dev.toolfleet.example.buildfarm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.Completions;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import tools.jackson.databind.node.ObjectNode;

/// The build process: builds the sources in a folder, and reports progress and the end to the fleet until the fleet has
/// acknowledged the end. It does not depend on a worker. Its arguments are handle, folder and brokers.
final class BuildMain {
    private static final long ACKNOWLEDGED_SECONDS = 15;
    private static final int ATTEMPTS = 40;

    private final Completions fleet;
    private final String handle;
    private final String token;

    private BuildMain(Completions fleet, String handle, String token) {
        this.fleet = fleet;
        this.handle = handle;
        this.token = token;
    }

    /// Runs the build.
    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.of(arguments[2]).named("build-farm");
        try (Completions fleet = patiently(() -> Completions.open(config))) {
            new BuildMain(fleet, arguments[0], System.getenv(BuildProcess.TOKEN)).build(Path.of(arguments[1]));
        }
    }

    private void build(Path folder) throws Exception {
        BuildSteps steps = new BuildSteps(folder, this::progress);
        try {
            ObjectNode output = Json.MAPPER.valueToTree(steps.run());
            surely(() -> fleet.completed(handle, output.put("builtBy", "java"), token));
        } catch (BuildSteps.FailedException | IOException e) {
            ToolError error = new ToolError("E_BUILD_FAILED", "BuildFailedError", String.valueOf(e.getMessage()),
                    BuildSteps.SUGGESTION, null);
            surely(() -> fleet.failed(handle, error, token));
        }
    }

    /// Reports progress. The report may be lost: the next one replaces it.
    private void progress(double percent, String step) {
        fleet.progress(handle, new Progress(percent, step), token);
    }

    /// Sends until the broker acknowledges. The first record that ends a handle wins, so a repeated one does no harm.
    private static void surely(Supplier<CompletionStage<Void>> send) throws InterruptedException {
        patiently(() -> {
            try {
                return send.get().toCompletableFuture().get(ACKNOWLEDGED_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts this process", e);
            }
        });
    }

    private static <T> T patiently(Supplier<T> attempt) throws InterruptedException {
        for (int number = 1;; number++) {
            try {
                return attempt.get();
            } catch (RuntimeException e) {
                if (number == ATTEMPTS)
                    throw e;
                System.out.println("attempt " + number + ": " + e);
                TimeUnit.SECONDS.sleep(ACKNOWLEDGED_SECONDS);
            }
        }
    }
}
