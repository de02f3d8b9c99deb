package dev.toolfleet.worker.tools.messaging;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Common part of all messaging tools: turns their operations into handlers.
public final class Messaging {
    private static final long DEFAULT_TIMEOUT_MS = 15_000;

    private final Provider provider;
    private final Path workspace;
    private final Map<String, String> env;
    private final InstantSource clock;
    private final Exchanges.Sleeper sleeper;
    private volatile MessagingConfig config = MessagingConfig.DEFAULT;
    private volatile @Nullable TokenSource tokens;

    /// For a module.
    ///
    /// @param workspace the root of the instances' folders
    /// @param env variables of the worker, as [System#getenv]
    public Messaging(Provider provider, Path workspace, Map<String, String> env) {
        this(provider, workspace, env, InstantSource.system(), Thread::sleep);
    }

    Messaging(Provider provider, Path workspace, Map<String, String> env, InstantSource clock,
            Exchanges.Sleeper sleeper) {
        this.provider = provider;
        this.workspace = workspace;
        this.env = Map.copyOf(env);
        this.clock = clock;
        this.sleeper = sleeper;
    }

    /// Takes the Tool's `spec.config`.
    public void configure(ObjectNode json) {
        config = MessagingConfig.of(provider, json);
    }

    /// Takes the source of people's tokens.
    public void tokens(TokenSource source) {
        tokens = source;
    }

    private TokenAnswer user(ToolContext ctx) {
        TokenSource source = tokens;
        return source == null
                ? new TokenAnswer.Failed("unavailable", "this process has no grants of people")
                : source.get(ctx);
    }

    /// The handler for an operation.
    public ToolHandler handler(Operation operation) {
        return (ctx, input) -> {
            Arguments args = new Arguments(input);
            long timeoutMs = args.number("timeoutMs", DEFAULT_TIMEOUT_MS);
            if (timeoutMs < 1)
                throw Arguments.invalid("'timeoutMs' must be greater than 0");
            MessagingConfig current = config;
            requireAllowed(current, args);
            MessagingAccount access = current.asUser()
                    ? MessagingAccount.of(provider, current, env, args, user(ctx))
                    : MessagingAccount.of(provider, current, env, args);
            Exchanges exchanges = new Exchanges(provider, access.token(), clock, sleeper,
                    Duration.ofMillis(timeoutMs), ctx.deadline());
            return ToolOutput.of(operation
                    .run(new Session(provider, args, access, () -> WorkPaths.of(ctx.workdir(), workspace, false),
                            current.maxInlineBytes(), exchanges)));
        };
    }

    /// A call that names no place, or none that can be one, is its export's to refuse: it is checked before any request.
    private void requireAllowed(MessagingConfig current, Arguments args) {
        JsonNode named = args.input().path(provider.placeArgument());
        if (!named.isString() && !named.isIntegralNumber())
            return;
        String target = named.asString().strip();
        current.places().filter(places -> !places.contains(target)).ifPresent(places -> {
            throw provider.notAllowed(target);
        });
    }

    /// Operation of one export.
    @FunctionalInterface
    public interface Operation {
        /// Runs the operation and returns its result.
        ObjectNode run(Session session) throws InterruptedException;
    }
}
