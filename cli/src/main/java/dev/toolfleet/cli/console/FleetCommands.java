package dev.toolfleet.cli.console;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.toolfleet.cli.explain.CallExplainer;
import dev.toolfleet.cli.explain.LaneOperator;
import dev.toolfleet.cli.letter.LetterDisposer;
import dev.toolfleet.cli.letter.LetterViewer;
import dev.toolfleet.cli.policy.PolicyExplainer;
import dev.toolfleet.cli.policy.ToolSwitcher;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.console.Console;
import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.gateway.app.GatewayPages;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.wire.LaneOrder;
import tools.jackson.databind.JsonNode;

/// Commands of the command line on one fleet, for the pages of its console.
public final class FleetCommands implements OperatorCommands {
    private final CommandRunner commands;
    private final FleetReader reader;
    private final Supplier<List<URI>> workers;
    private final InstantSource clock;

    /// Makes the commands.
    ///
    /// @param workers addresses of workers, read at each command; none for the members of the group
    FleetCommands(FleetConfig config, Supplier<List<URI>> workers, InstantSource clock) {
        this.commands = new CommandRunner(config, clock);
        this.reader = new FleetReader(config, workers, clock);
        this.workers = workers;
        this.clock = clock;
    }

    /// Returns the console of a fleet.
    ///
    /// @param workers addresses of workers, read at each command; none for the members of the group
    public static GatewayPages console(FleetConfig config, Supplier<List<URI>> workers) {
        return new Console(new FleetCommands(config, workers, InstantSource.system()));
    }

    @Override
    public Outcome explain(CallId call) {
        return commands.query(fleet -> new CallExplainer(fleet, workers.get()).explain(
                new CallExplainer.Named(null, null, null, CallCancellation.place(call), Duration.ZERO), true));
    }

    @Override
    public Outcome policy(PolicyQuestion question) {
        JsonNode arguments = question.arguments();
        if (arguments != null && !arguments.isObject())
            return CommandRunner.refused("the arguments of a call are a JSON object, and not: " + arguments);
        PolicyCaller caller = new PolicyCaller(question.user(), question.channel(), question.agent());
        return commands.query(fleet -> new PolicyExplainer(fleet.terminal(), true, clock).fleet(fleet, question.tool(),
                caller, arguments));
    }

    @Override
    public Outcome denials() {
        return commands.query(fleet -> new ToolSwitcher(fleet).list(true));
    }

    @Override
    public Outcome deny(String pattern, Duration period, Author author) {
        return commands.change(fleet -> new ToolSwitcher(fleet).deny(pattern, period, null, reason(author)));
    }

    @Override
    public Outcome lift(String pattern, Author author) {
        return commands.change(fleet -> new ToolSwitcher(fleet).lift(List.of(pattern), reason(author)));
    }

    private static ToolSwitcher.Reason reason(Author author) {
        return new ToolSwitcher.Reason(author.by(), author.reason());
    }

    @Override
    public Outcome letter(LetterAddress address) {
        return commands.query(fleet -> new LetterViewer(fleet).show(address, true, Optional.empty()));
    }

    @Override
    public Outcome dispose(Disposal disposal, List<LetterAddress> letters, Author author, boolean dryRun) {
        // A wish without addresses means all letters.
        if (letters.isEmpty())
            return CommandRunner.refused("no dead letter was named, and nothing was done");
        LetterDisposer.Wish wish = new LetterDisposer.Wish(letters, LetterFilter.ALL, false, author.by(),
                author.reason());
        if (!dryRun)
            return commands.change(fleet -> dispose(disposal, new LetterDisposer(fleet), wish, question -> true));
        return commands.preview(fleet -> {
            AtomicReference<String> asked = new AtomicReference<>("");
            int code = dispose(disposal, new LetterDisposer(fleet), wish, question -> {
                asked.set(question);
                return false;
            });
            if (asked.get().isEmpty())
                return code == Failure.SUCCESS ? Failure.FAILED : code;
            fleet.terminal().print(asked.get());
            return Failure.SUCCESS;
        });
    }

    private static int dispose(Disposal disposal, LetterDisposer letters, LetterDisposer.Wish wish,
            LetterDisposer.Confirmation confirmation) {
        return switch (disposal) {
            case REPLAY -> letters.replay(wish, confirmation);
            case DISCARD -> letters.discard(wish, confirmation);
        };
    }

    @Override
    public Outcome skip(String instance, CallId call, Author author) {
        return commands.change(fleet -> new LaneOperator(fleet, workers.get()).order(instance, LaneOrder.Order.SKIP,
                new LaneOperator.Which(null, CallCancellation.place(call)),
                new LaneOperator.Reason(author.by(), author.reason()), Duration.ZERO));
    }

    @Override
    public Outcome cancel(List<CallView> calls, Author author) {
        return commands.write(fleet -> CallCancellation.of(calls, author).write(fleet));
    }

    @Override
    public FleetState fleet() {
        return reader.read();
    }
}
