package dev.toolfleet.cli.explain;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.cli.explain.CallSnapshot.Ahead;
import dev.toolfleet.cli.explain.CallSnapshot.Answer;
import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.explain.CallSnapshot.Start;
import dev.toolfleet.cli.explain.CallSnapshot.Waits;
import org.jspecify.annotations.Nullable;

/// Position of a call. [#of] derives it from the facts, the surest first: results, waits outside of lanes, the group,
/// the workers' answers, and conclusions from the topics.
sealed interface CallVerdict {
    /// It has its result.
    ///
    /// @param catalog why its catalog did not show its tool; null when that is not how it ended
    record Ended(Answer answer, Optional<Catalog> catalog) implements CallVerdict {}

    /// Its record was given up without a result.
    record DeadLetter(String reason) implements CallVerdict {}

    /// The group is done with its record, and no result of it is there.
    record DoneInSilence() implements CallVerdict {}

    /// A person has to decide.
    record NeedsDecision(Waits waits) implements CallVerdict {}

    /// A person has decided, and the fleet is about to act on it.
    record Decided(Waits waits, CallSnapshot.Decided decided) implements CallVerdict {}

    /// Work goes on elsewhere.
    record AwaitsWork(Waits waits) implements CallVerdict {}

    /// Its handle has ended, and the final result is under way.
    record OutcomeUnderWay(Waits waits) implements CallVerdict {}

    /// No worker runs.
    record NoWorker() implements CallVerdict {}

    /// Workers run, and none of them has the call's partition.
    record NoOwner() implements CallVerdict {}

    /// It waits for its turn.
    ///
    /// @param between how many others are between the one that holds the lane and this
    record Behind(Holder holder, int between) implements CallVerdict {}

    /// The call that holds a lane.
    ///
    /// @param place on `tool.call`
    /// @param stepId null when it names none, or is known from its worker alone
    /// @param start as the topics show it
    /// @param live as its worker shows it
    record Holder(String id, String tool, String place, @Nullable String stepId, Optional<Start> start,
            Optional<LiveCall> live) {
        static Holder of(Ahead ahead, Optional<LiveCall> live) {
            return new Holder(ahead.call().call().id(), ahead.call().call().name(), ahead.call().place(),
                    ahead.call().call().stepId(), ahead.start(), live);
        }

        static Holder of(LiveCall live) {
            return new Holder(live.id(), live.tool(), live.partition() + "/" + live.offset(), null, Optional.empty(),
                    Optional.of(live));
        }
    }

    /// The worker that has its partition does not have the call in a lane.
    record NotTakenIn(String worker) implements CallVerdict {}

    /// The worker that has its partition does not read it, or cannot write its results.
    record HeldBack(CallSnapshot.Held held) implements CallVerdict {}

    /// Its worker has it.
    record InWorker(LiveCall live) implements CallVerdict {}

    /// Its handler was about to start and has not ended, as far as the topics tell.
    record Started(Start start) implements CallVerdict {}

    /// The worker that ran it is gone; the next owner finds out what became of it.
    record Orphaned(Start start) implements CallVerdict {}

    /// It was cancelled, and its end is under way.
    record Cancelled(CallSnapshot.Cancelled cancelled) implements CallVerdict {}

    /// The catalog of its step is not there.
    record AwaitsCatalog(Catalog why) implements CallVerdict {}

    /// Nothing stands in its way: it is about to run, or runs a tool that may run twice.
    record Next() implements CallVerdict {}

    /// Why a step has no catalog.
    sealed interface Catalog {
        /// The catalog service owes it.
        record NotAnswered(Instant announcedAt) implements Catalog {}

        /// The runtime announced it on another partition than the call's.
        record Elsewhere(int partition) implements Catalog {}

        /// The runtime has not announced it.
        record NotAnnounced() implements Catalog {}

        static Optional<Catalog> of(CallSnapshot facts) {
            if (facts.call().call().stepId() == null || facts.call().call().agentName() == null
                    || facts.step().catalogAt().isPresent())
                return Optional.empty();
            return Optional.of(facts.step().announced().<Catalog>map(
                    said -> said.partition() == facts.call().partition()
                            ? new NotAnswered(said.at())
                            : new Elsewhere(said.partition()))
                    .orElseGet(NotAnnounced::new));
        }
    }

    /// Derives the verdict from the facts.
    static CallVerdict of(CallSnapshot facts) {
        Optional<Answer> last = facts.last();
        if (last.isPresent())
            return new Ended(last.get(), isNotInCatalog(last.get()) ? Catalog.of(facts) : Optional.empty());
        if (facts.said().deadLetter().isPresent())
            return new DeadLetter(facts.said().deadLetter().get());
        Optional<LiveCall> live = facts.live().of(facts.call());
        if (live.isPresent() && !live.get().isQueued())
            return new InWorker(live.get());
        if (facts.waits().isPresent())
            return waiting(facts, facts.waits().get());
        if (facts.group().done())
            return new DoneInSilence();
        if (facts.group().members() == 0)
            return new NoWorker();
        if (facts.group().owner().isEmpty())
            return new NoOwner();
        return inLane(facts, live.isPresent());
    }

    private static boolean isNotInCatalog(Answer answer) {
        return answer.result().error() != null && answer.result().error().code().equals("E_TOOL_NOT_IN_CATALOG");
    }

    private static CallVerdict waiting(CallSnapshot facts, Waits waits) {
        boolean approved = facts.said().resumedAt().isPresent();
        if (facts.group().members() == 0 && (approved || waits.endedAt() != null))
            return new NoWorker();
        if (facts.start().isPresent() && approved)
            return started(facts.start().get());
        if (waits.endedAt() != null && !approved)
            return new OutcomeUnderWay(waits);
        return switch (waits.pending().kind()) {
            case ASYNC, AUTHORIZATION, UNKNOWN -> new AwaitsWork(waits);
            case APPROVAL -> facts.said().decision().<CallVerdict>map(decided -> new Decided(waits, decided))
                    .orElseGet(() -> new NeedsDecision(waits));
        };
    }

    private static CallVerdict inLane(CallSnapshot facts, boolean queued) {
        Optional<CallSnapshot.Held> held = queued ? Optional.empty() : facts.held();
        // A started call ends without a sign while its result cannot be written; the other reasons are about unread
        // calls.
        if (held.filter(CallSnapshot.Held::isQuarantined).isPresent())
            return new HeldBack(held.get());
        if (facts.start().isPresent() && !queued)
            return started(facts.start().get());
        if (held.isPresent())
            return new HeldBack(held.get());
        if (facts.ownerAnswered() && !queued)
            return new NotTakenIn(facts.group().owner().orElse(""));
        Optional<Holder> holder = holder(facts);
        if (holder.isPresent())
            return new Behind(holder.get(), between(facts, holder.get()));
        if (facts.said().cancelled().isPresent())
            return new Cancelled(facts.said().cancelled().get());
        return Catalog.of(facts).<CallVerdict>map(AwaitsCatalog::new).orElseGet(Next::new);
    }

    /// The worker's answer counts first. Otherwise: a lane that was skipped past its oldest call names the wrong
    /// holder.
    private static Optional<Holder> holder(CallSnapshot facts) {
        Optional<LiveCall> running = facts.live().calls().stream()
                .filter(each -> each.partition() == facts.call().partition() && !each.isQueued() && !each.skipped())
                .findFirst();
        if (running.isEmpty())
            return facts.ahead().stream().findFirst().map(ahead -> Holder.of(ahead, Optional.empty()));
        LiveCall live = running.get();
        return Optional.of(facts.ahead().stream()
                .filter(each -> each.call().isAt(live.partition(), live.offset())).findFirst()
                .map(ahead -> Holder.of(ahead, running)).orElseGet(() -> Holder.of(live)));
    }

    private static int between(CallSnapshot facts, Holder holder) {
        return (int) facts.ahead().stream().filter(each -> !each.call().place().equals(holder.place())).count();
    }

    private static CallVerdict started(Start start) {
        return start.alive() ? new Started(start) : new Orphaned(start);
    }
}
