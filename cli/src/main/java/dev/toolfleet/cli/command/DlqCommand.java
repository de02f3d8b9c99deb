package dev.toolfleet.cli.command;

import java.io.Console;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.cli.letter.LetterDisposer;
import dev.toolfleet.cli.letter.LetterViewer;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "dlq", header = "Looks at dead letters, sends them again, or puts them away.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Examples:", "  toolfleet dlq list --since 1d", "  toolfleet dlq show 3:17",
        "  toolfleet dlq replay 3:17", "  toolfleet dlq discard --all --reason late"})
final class DlqCommand extends CommandGroup {
    DlqCommand(CommandContext context) {
        super(context, "what about dead letters? There is: toolfleet dlq list, toolfleet dlq show"
                + " LETTER, toolfleet dlq replay LETTER, toolfleet dlq discard LETTER");
    }

    /// Which letters.
    static final class Filter {
        @Option(names = "--reason", paramLabel = "WORD", description = "Only with this reason, such as malformed, late or wrong-token.")
        private @Nullable String reason;

        @Option(names = "--topic", paramLabel = "TOPIC", description = "Only from this topic, such as tool.call.")
        private @Nullable String topic;

        @Option(names = "--since", paramLabel = "TIME", converter = PastOption.class, description = "Only what became one since then: 10m, 2h, 7d, or an instant.")
        private @Nullable Instant since;

        private LetterFilter filter() {
            return new LetterFilter(reason, topic, since);
        }

        private boolean isEmpty() {
            return reason == null && topic == null && since == null;
        }
    }

    /// Options that replay and discard share.
    static final class Choice {
        @Parameters(paramLabel = "LETTER", description = "PARTITION:OFFSET, as toolfleet dlq list prints it.")
        private List<String> letters = new ArrayList<>();

        @Option(names = "--all", description = "All that are open, narrowed by --reason, --topic and --since.")
        private boolean all;

        @Mixin
        private Filter filter = new Filter();

        @Option(names = "--by", paramLabel = "WHO", description = "Who does it, for auditors (default: this system's user).")
        private @Nullable String by;

        @Option(names = "--note", paramLabel = "TEXT", description = "Why, for auditors.")
        private @Nullable String note;

        @Option(names = {"-y", "--yes"}, description = "Does it without asking.")
        private boolean yes;

        private LetterDisposer.Wish wish(boolean force) {
            if (letters.isEmpty() != all)
                throw Failure.invalid(all
                        ? "--all means all letters; leave it out, or the letter " + letters.getFirst()
                        : "which dead letters? Name them as toolfleet dlq list prints them, such as 3:17, or say --all");
            if (!all && !filter.isEmpty())
                throw Failure.invalid("--reason, --topic and --since narrow --all; leave them out, or the letter "
                        + letters.getFirst());
            return new LetterDisposer.Wish(letters.stream().map(DlqCommand::address).toList(), filter.filter(), force,
                    Objects.requireNonNullElseGet(by, () -> System.getProperty("user.name", "unknown")), note);
        }
    }

    /// `dlq list`.
    @Command(name = "list", header = "Lists the open dead letters, the newest first.", description = {"",
            "A dead letter is a record that no component could use: no call, no step, a completion of a call that has ended."
                    + " It is kept for 30 days, as it came; its reason says why."}, footer = {"", "Examples:",
                            "  toolfleet dlq list",
                            "  toolfleet dlq list --reason malformed --topic tool.call --since 1d",
                            "  toolfleet dlq list --all --json | jq -r .done.by", "",
                            "Exit codes: 0 success, 1 the topic cannot be read, 2 usage."})
    int list(@Mixin FleetOptions options, @Mixin Filter filter,
            @Option(names = "--all", description = "Also those that were replayed or discarded.") boolean all,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "How many (default: 50).") int limit,
            @Option(names = "--json", description = "Prints {address, time, reason, origin, key, bytes, worker, done} as one object a line.") boolean json) {
        if (limit < 1)
            throw Failure.invalid("--limit " + limit + " shows nothing; it is at least 1");
        return new LetterViewer(options.open(context()))
                .list(filter.filter(), all, limit, json);
    }

    /// `dlq show`.
    @Command(name = "show", header = "Shows a dead letter with its headers and its value.", description = {"",
            "Values of fields that sound secret are left out, and what a terminal would obey is written as an escape."
                    + " --save keeps the value as it is."}, footer = {"", "Examples:",
                            "  toolfleet dlq show 3:17", "  toolfleet dlq show 3:17 --json | jq .headers",
                            "  toolfleet dlq show 3:17 --save letter.json", "",
                            "Exit codes: 0 success, 1 there is none, or the topic cannot be read, 2 usage."})
    int show(@Mixin FleetOptions options,
            @Parameters(index = "0", paramLabel = "LETTER", description = "PARTITION:OFFSET, as toolfleet dlq list prints it.") String letter,
            @Option(names = "--json", description = "Prints {..., headers, value}; text or base64 for a value that is no JSON.") boolean json,
            @Option(names = "--save", paramLabel = "FILE", description = "Writes the value to a new file instead.") @Nullable Path save) {
        return new LetterViewer(options.open(context()))
                .show(address(letter), json, Optional.ofNullable(save));
    }

    /// `dlq replay`.
    @Command(name = "replay", header = "Sends dead letters again to where they came from.", description = {"",
            "The record as it came, with its key and headers, to the topic and the partition where it stood. So a call"
                    + " keeps its identity: one that has a result is answered with it and does not run again. What"
                    + " would be a dead letter again is refused with the reason: what is still malformed, an end of"
                    + " work that has ended, a wrong token.",
            "",
            "The record, its mark and the event on tool.audit are one transaction: of two people who replay the same"
                    + " letter one does, and a command that dies in the middle has replayed and marked a letter, or"
                    + " neither."}, footer = {"", "Examples:",
                            "  toolfleet dlq replay 3:17 1:5",
                            "  toolfleet dlq replay --all --topic tool.call --since 2h --yes --note \"Decoder fixed\"",
                            "",
                            "Exit codes: 0 all were replayed; 1 some were not; 2 usage, or the answer was not yes, or"
                                    + " there is no terminal to ask on."})
    int replay(@Mixin FleetOptions options, @Mixin Choice choice,
            @Option(names = "--force", description = "Also what would be a dead letter again by what this command knows, or was seen to before.") boolean force) {
        LetterDisposer.Wish wish = choice.wish(force);
        return disposing(options).replay(wish, question -> confirmed(question, choice.yes, "replayed"));
    }

    /// `dlq discard`.
    @Command(name = "discard", header = "Puts dead letters away: dlq list does not show them any more.", description = {
            "", "They stay where they are for their 30 days; a mark behind them and an event on tool.audit say who put"
                    + " them away. dlq list --all still shows them, and dlq replay --force replays them."}, footer = {
                            "",
                            "Examples:",
                            "  toolfleet dlq discard 3:17 --note \"A test of ours\"",
                            "  toolfleet dlq discard --all --reason late --yes", "",
                            "Exit codes: 0 all were put away; 1 some were not; 2 usage, or the answer was not yes, or"
                                    + " there is no terminal to ask on."})
    int discard(@Mixin FleetOptions options, @Mixin Choice choice) {
        LetterDisposer.Wish wish = choice.wish(false);
        return disposing(options).discard(wish, question -> confirmed(question, choice.yes, "discarded"));
    }

    /// @throws Failure (invalid) when it is none
    static LetterAddress address(String text) {
        try {
            return LetterAddress.of(text);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    private LetterDisposer disposing(FleetOptions options) {
        return new LetterDisposer(options.open(context()));
    }

    private boolean confirmed(String question, boolean yes, String done) {
        if (yes)
            return true;
        Console console = Optional.ofNullable(System.console()).filter(Console::isTerminal)
                .orElseThrow(() -> Failure.invalid(question + " There is no terminal to ask on; pass --yes"));
        String answer = console.readLine("%s [y/N] ", question);
        boolean given = answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        if (!given)
            context().terminal().note("toolfleet: nothing was " + done);
        return given;
    }
}
