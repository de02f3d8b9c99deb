package dev.toolfleet.cli.explain;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.explain.CallSnapshot.Start;
import dev.toolfleet.cli.explain.CallSnapshot.Waits;
import dev.toolfleet.cli.explain.CallVerdict.Catalog;
import dev.toolfleet.cli.explain.CallVerdict.Holder;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// Verdict for people: one sentence, and the next commands. Pure.
final class VerdictText {
    private final CallSnapshot facts;
    private final String command;

    /// @param command how the command is called, for lines to paste
    VerdictText(CallSnapshot facts, String command) {
        this.facts = facts;
        this.command = command;
    }

    /// @param name one word for programs
    /// @param headline one sentence
    /// @param next what to do, each a command with its purpose
    record Said(String name, String headline, List<String> next) {}

    Said of(CallVerdict verdict) {
        Said said = sentence(verdict);
        if (!facts.said().hadLabels())
            return said;
        List<String> next = new ArrayList<>(said.next());
        next.add(run("labels show " + quoted(facts.call().call().instanceKey()),
                "shows the labels that count now; labels clear ends them"));
        return new Said(said.name(), said.headline(), next);
    }

    private Said sentence(CallVerdict verdict) {
        return switch (verdict) {
            case CallVerdict.Ended(CallSnapshot.Answer answer, Optional<Catalog> catalog) -> ended(answer, catalog);
            case CallVerdict.DeadLetter(String reason) -> new Said("dead-letter", "was given up as a dead letter: "
                    + reason,
                    List.of(run("dlq list --all --topic tool.call", "lists it; dlq show has its bytes, and dlq replay"
                            + " sends it again")));
            case CallVerdict.DoneInSilence() -> new Said("done-without-result",
                    "is finished, and tool.result has no result of it (any more): it was a duplicate of a call that was"
                            + " answered before, or its result is older than the topic keeps",
                    List.of());
            case CallVerdict.NeedsDecision(Waits waits) -> new Said(
                    "needs-decision", "waits for a person's decision since "
                            + ago(waits.pending().createdAt()) + ", until " + time(waits.pending().deadline())
                            + (waits.pending().approval() == null
                                    ? ""
                                    : "; the rule " + waits.pending().approval().rule() + " asks"),
                    List.of(run("approvals " + waits.pending().handle(), "shows what is asked"),
                            run("approve " + waits.pending().handle(), "lets it run"),
                            run("reject " + waits.pending().handle(), "ends it")));
            case CallVerdict.Decided(Waits waits, CallSnapshot.Decided decided) -> new Said("decided", "was decided ("
                    + decided.decision().decision().text() + by(decided.decision().by()) + ", " + ago(decided.at())
                    + " ago), and the fleet is about to act on it; when that takes longer than seconds, no worker runs",
                    List.of(run("handles " + waits.pending().handle(), "shows what became of it")));
            case CallVerdict.AwaitsWork(Waits waits) -> new Said("awaits-work", "is pending: work goes on elsewhere"
                    + (waits.pending().target() == null ? "" : ", by " + waits.pending().target() + ",")
                    + " under handle " + waits.pending().handle() + " since " + ago(waits.pending().createdAt())
                    + ", last heard of " + ago(waits.heardAt()) + " ago, until " + time(waits.pending().deadline()),
                    List.of(run("handles " + waits.pending().handle(), "shows how far it is"),
                            run("complete " + waits.pending().handle() + " --output JSON",
                                    "ends it, when the work is known to be done"),
                            run("cancel " + waits.pending().handle(), "ends it")));
            case CallVerdict.OutcomeUnderWay(Waits waits) -> new Said("outcome-under-way", "has ended under handle "
                    + waits.pending().handle() + ", and its final result is under way; the worker that has partition "
                    + facts.call().partition() + " publishes it", List.of());
            case CallVerdict.NoWorker() -> new Said("no-worker", "waits because no worker runs: group "
                    + facts.group().id() + " has no member",
                    List.of(run("worker --config fleet.yaml", "starts one; the call runs as soon as it is ready")));
            case CallVerdict.NoOwner() -> new Said("no-owner", "waits because no worker has partition "
                    + facts.call().partition() + " of tool.call, although group " + facts.group().id() + " has "
                    + count(facts.group().members(), "member") + ": it is being handed over, which takes seconds",
                    List.of("ask again; if it stays so, look at the workers' logs"));
            case CallVerdict.NotTakenIn(String worker) -> new Said("not-taken-in",
                    "is not in a lane of worker " + worker
                            + ", which has its partition: it is about to be read, or its result is about to be"
                            + " committed",
                    List.of("ask again; if it stays so, look at the readiness of " + worker));
            case CallVerdict.HeldBack(CallSnapshot.Held held) -> new Said(held.isQuarantined() ? "quarantined" : "held",
                    HoldText.text(held), List.of(HoldText.next(held)));
            case CallVerdict.Behind(Holder holder, int between) -> behind(holder, between);
            case CallVerdict.InWorker(LiveCall live) -> new Said("in-worker", StageText.text(live, facts.now())
                    + " on worker " + live.worker() + (live.skipped() ? "; its lane has gone on past it" : ""),
                    stuck());
            case CallVerdict.Started(Start start) -> started(start.intent());
            case CallVerdict.Orphaned(Start start) -> orphaned(start.intent());
            case CallVerdict.Cancelled(CallSnapshot.Cancelled cancelled) -> new Said("cancelled", "was cancelled"
                    + by(cancelled.cancel().by()) + " " + ago(cancelled.at()) + " ago, and its result is under way",
                    List.of("ask again"));
            case CallVerdict.AwaitsCatalog(Catalog why) -> new Said("awaits-catalog",
                    "waits for the catalog of its step '"
                            + facts.call().call().stepId() + "', for as long as worker.catalog.wait: " + catalog(why),
                    catalogNext(why));
            case CallVerdict.Next() -> new Said("next", "is next in its lane: it is about to run on worker "
                    + facts.group().owner().orElse("") + ", or runs there a tool that may run twice, which leaves no"
                    + " note on the topics", stuck());
        };
    }

    private Said ended(CallSnapshot.Answer answer, Optional<Catalog> catalog) {
        ToolError error = answer.result().error();
        String when = " " + ago(answer.at()) + " ago" + (answer.result().replayed() ? ", as a duplicate" : "");
        if (error == null)
            return new Said("ended", "has ended ok" + when, List.of());
        String why = catalog.map(each -> ". " + capital(catalog(each))).orElse("");
        // What a tool said may be for its callers alone.
        return new Said("ended", "has ended" + when + " with " + error.code() + why,
                catalog.map(this::catalogNext).orElseGet(() -> Arrays.stream(ErrorCode.values())
                        .filter(code -> code.name().equals(error.code()))
                        .map(code -> "docs/errors.md has a section on " + code).toList()));
    }

    /// After a death a worker notes each call that it takes, before it decides about the call: a handler may run or
    /// not.
    private Said started(CallIntent intent) {
        if (intent.mayHaveStarted())
            return new Said("running", "runs on worker " + intent.worker() + " since " + ago(intent.startedAt())
                    + attempt(intent.attempt()) + until(intent.deadline()), stuck());
        return new Said("taken",
                "was taken by worker " + intent.worker() + " " + ago(intent.startedAt()) + " ago, after "
                        + died(intent)
                        + " that may have had it: it is about to run there, or runs there a tool that may run"
                        + " twice",
                stuck());
    }

    private Said orphaned(CallIntent intent) {
        String owner = "the owner of its partition "
                + facts.group().owner().map(worker -> "(" + worker + ") ").orElse("");
        if (intent.mayHaveStarted())
            return new Said("orphaned", "was started by worker " + intent.worker() + " " + ago(intent.startedAt())
                    + " ago, which is gone; " + owner + "finds out whether it happened",
                    List.of("ask again in some seconds"));
        return new Said("orphaned", "was taken by worker " + intent.worker() + " " + ago(intent.startedAt())
                + " ago, after " + died(intent) + " that may have had it, and is gone, too; " + owner
                + "ends it as unknown, unless it was handed back", List.of("ask again in some seconds"));
    }

    private static String died(CallIntent intent) {
        return "the death of " + count(intent.deathsBefore(), "worker");
    }

    private Said behind(Holder holder, int between) {
        String others = between == 0
                ? ""
                : between == 1 ? "; one more is between them" : "; " + between + " more are between them";
        String doing = holder.live().map(live -> StageText.text(live, facts.now()) + " on worker " + live.worker())
                .or(() -> holder.start().map(start -> doing(holder, start.intent())))
                .orElse("has not ended");
        String instance = quoted(facts.call().call().instanceKey());
        String step = holder.stepId() == null ? "" : " --step " + quoted(holder.stepId());
        return new Said("behind", "waits behind call " + holder.id() + " (" + holder.tool() + ", record "
                + holder.place() + ") of the same instance, which " + doing + others,
                List.of(run("explain --record " + holder.place(), "says why that one takes so long"),
                        run("cancel --instance " + instance + " --call " + quoted(holder.id()) + step,
                                "interrupts and ends it"),
                        run("lane skip " + instance + " --record " + holder.place(),
                                "lets the lane go on past it, while it runs on"),
                        run("lane fail " + instance + " --record " + holder.place() + " --reason WHY",
                                "ends it, wherever it hangs")));
    }

    private String doing(Holder holder, CallIntent intent) {
        return intent.mayHaveStarted()
                ? "runs " + holder.tool() + " on worker " + intent.worker() + " since " + ago(intent.startedAt())
                        + until(intent.deadline())
                : "was taken by worker " + intent.worker() + " " + ago(intent.startedAt()) + " ago, after "
                        + died(intent);
    }

    private List<String> stuck() {
        ToolCall call = facts.call().call();
        String instance = quoted(call.instanceKey());
        String step = call.stepId() == null ? "" : " --step " + quoted(call.stepId());
        return List.of(run("cancel --instance " + instance + " --call " + quoted(call.id()) + step, "ends it"),
                run("lane show " + instance, "shows who waits behind it"),
                run("lane skip " + instance + " --record " + facts.call().place(),
                        "lets the lane go on past it, while it runs on"),
                run("lane fail " + instance + " --record " + facts.call().place() + " --reason WHY",
                        "ends it, wherever it hangs"));
    }

    private String catalog(Catalog why) {
        return switch (why) {
            case Catalog.NotAnswered(Instant at) -> "the step was announced " + ago(at)
                    + " ago, and no catalog service has answered it";
            case Catalog.Elsewhere(int partition) -> "the step was announced on partition " + partition
                    + " of agent.step, but the call is on partition " + facts.call().partition()
                    + " of tool.call, so its catalog never comes there";
            case Catalog.NotAnnounced() -> "the step was never announced on agent.step";
        };
    }

    private List<String> catalogNext(Catalog why) {
        String instance = quoted(facts.call().call().instanceKey());
        return switch (why) {
            case Catalog.NotAnswered _ -> List.of(
                    run("catalog --config fleet.yaml", "starts a catalog service, if none runs"),
                    run("catalog show --instance " + instance, "shows the newest catalogs of the instance"));
            case Catalog.Elsewhere _ -> List.of("let the agent runtime use one partitioner for agent.step and"
                    + " tool.call (docs/topics.md, Partitions)");
            case Catalog.NotAnnounced _ -> List.of("let the agent runtime write StepStarted to agent.step, with this"
                    + " agentName, turnId and stepId, before the call (docs/runtime-authors.md)",
                    run("catalog show --instance " + instance, "shows the steps that it did announce"));
        };
    }

    private String run(String arguments, String purpose) {
        return command + " " + arguments + "   (" + purpose + ")";
    }

    private String ago(Instant then) {
        return DurationText.coarse(Duration.between(then, facts.now()));
    }

    private static String until(@Nullable Instant deadline) {
        return deadline == null ? "" : ", until " + time(deadline) + " at most";
    }

    private static String attempt(int number) {
        return number == 1 ? "" : ", its start number " + number;
    }

    private static String by(@Nullable String who) {
        return who == null ? "" : " by " + who;
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /// For a shell.
    static String quoted(String text) {
        return text.matches("[A-Za-z0-9_./:@%+=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
