package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

import dev.toolfleet.cli.handle.CallCompleter;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

@Command(name = "complete", header = "Ends a pending call by its handle, as its tool would.", description = {"",
        "With --error the call fails, else it is done. Then it waits for the call's final result and prints it."
                + " What would not be believed is not sent: a handle that has ended, a token that is not the"
                + " handle's. A handle that is not known yet is sent all the same, and waits an hour for its"
                + " call."}, footer = {"", "Examples:",
                        "  toolfleet complete build-4711 --output '{\"jar\": \"target/app.jar\"}'",
                        "  toolfleet complete build-4711 --error \"the disk is full\" --code E_DISK_FULL",
                        "  toolfleet complete build-4711 --token \"$TOKEN\"", "",
                        "Exit codes: 0 the call ended by this, or the handle is not known yet; 1 it had ended before, or"
                                + " its result did not come; 2 the input is invalid."})
final class CompleteCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "HANDLE", description = "The handle of the pending call.")
    private String handle = "";

    @Option(names = "--output", paramLabel = "JSON", description = "What the work brought (default: nothing).")
    private @Nullable String output;

    @Option(names = "--error", paramLabel = "MSG", description = "The work failed, and why; a model will read it.")
    private @Nullable String error;

    @Option(names = "--code", paramLabel = "CODE", description = "The error's code (default: E_TOOL).")
    private @Nullable String code;

    @Option(names = "--token", paramLabel = "T", description = "What the call demands of its completions, if it does.")
    private @Nullable String token;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "How long to wait for the final result (default: 10s).")
    private Duration timeout = Duration.ofSeconds(10);

    CompleteCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        Completion completion = completion();
        return new CallCompleter(fleet())
                .send(completion, timeout);
    }

    private Completion completion() {
        if (error != null && output != null)
            throw Failure.invalid("--output and --error exclude each other: a failed call has no output");
        if (error != null)
            return Completion.failed(handle, error(error, Objects.requireNonNullElse(code, "E_TOOL")), token);
        if (code != null)
            throw Failure.invalid("--code " + code + " needs --error, which says what went wrong");
        try {
            return Completion.completed(handle, output == null ? null : Json.MAPPER.readTree(output), token);
        } catch (JacksonException e) {
            throw Failure.invalid("--output is not JSON: " + e.getOriginalMessage());
        }
    }

    /// The fleet's own codes bring their suggestions.
    private static ToolError error(String message, String code) {
        return Arrays.stream(ErrorCode.values()).filter(known -> known.name().equals(code)).findFirst()
                .map(known -> ToolError.of(known, message))
                .orElseGet(() -> new ToolError(code, null, message, null, null));
    }
}
