package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;

/// State of a handle whose records came before its pending record.
///
/// **Contract.** Keeps the records that may count once the pending record comes: the newest progress, the first
/// decision of each person, and the first end with each token. Only the pending record shows which token is right.
/// Decisions are small and have a place of their own, so that the holder of a token cannot keep them out.
///
/// @param since the time of the first record
/// @param said the records in order
record EarlyHandle(Instant since, List<RawRecord> said) implements HandleLifecycle {
    /// An hour, and another one for the clocks of the workers that own the handle one after the other.
    static final Duration KEPT = Duration.ofHours(2);
    /// Bound on ends. Otherwise: a sender that guesses tokens fills the store.
    static final int MAX_ENDS = 4;
    /// More than the largest quorum, plus one place for a rejection.
    static final int MAX_APPROVALS = 6;
    /// Bound on approvals: beside [RawRecord#MAX_BYTES] of other records, and one rejection, they fit into a record of the
    /// store.
    private static final int MAX_APPROVAL_BYTES = 2 * HandleIntake.MAX_DECISION;

    EarlyHandle {
        said = List.copyOf(said);
    }

    /// Handles the kept records as if all of them came now.
    @Override
    public Transition pended(PendingCall call, DecisionContext at) {
        HandleLifecycle state = PendingHandle.begin(call, at);
        List<HandleEffect> effects = new ArrayList<>();
        for (RawRecord raw : said) {
            Transition step = state.told(HandleMessage.read(raw), at);
            state = step.next();
            effects.addAll(step.effects());
        }
        return new Transition(state, effects);
    }

    @Override
    public Transition told(HandleMessage told, DecisionContext at) {
        return switch (told) {
            case HandleMessage.Report said when said.completion().kind() == Completion.Kind.PROGRESS -> progress(said);
            case HandleMessage.Report said -> end(said);
            case HandleMessage.Cancellation unwanted ->
                this.said.stream().anyMatch(raw -> raw.source() == RawRecord.Source.CANCEL)
                        ? Transition.of(this)
                        : add(this.said, unwanted.raw());
            case HandleMessage.Decided decided -> decide(decided);
        };
    }

    private Transition progress(HandleMessage.Report newest) {
        return add(said.stream().filter(raw -> !isProgress(raw)).toList(), newest.raw());
    }

    private Transition end(HandleMessage.Report said) {
        boolean second = this.said.stream().map(HandleMessage::read).anyMatch(
                earlier -> earlier instanceof HandleMessage.Report other
                        && other.completion().kind() != Completion.Kind.PROGRESS
                        && Objects.equals(other.completion().token(), said.completion().token()));
        return second
                ? Transition.of(this, new HandleEffect.Letter(said.raw(), DeadLetterReason.LATE))
                : add(this.said, said.raw());
    }

    /// Keeps a decision that may count: the number of people who must approve is not known yet. No decision behind a
    /// rejection counts.
    private Transition decide(HandleMessage.Decided newest) {
        int bytes = said.stream().filter(EarlyHandle::isDecision).mapToInt(RawRecord::size).sum();
        List<Decision> before = said.stream().map(HandleMessage::read)
                .flatMap(told -> told instanceof HandleMessage.Decided(Decision decision, RawRecord _)
                        ? Stream.of(words(decision))
                        : Stream.empty())
                .toList();
        boolean approves = newest.decision().decision() == Decision.Verdict.APPROVE;
        boolean counts = before.stream().noneMatch(one -> one.decision() == Decision.Verdict.REJECT)
                && !before.contains(words(newest.decision())) && (!approves || before.isEmpty()
                        || (before.size() < MAX_APPROVALS && bytes + newest.raw().size() <= MAX_APPROVAL_BYTES));
        return counts
                ? Transition
                        .of(new EarlyHandle(since, Stream.concat(said.stream(), Stream.of(newest.raw())).toList()))
                : Transition.of(this, new HandleEffect.Letter(newest.raw(), DeadLetterReason.LATE));
    }

    /// Returns a decision without its reason, for comparison.
    private static Decision words(Decision decision) {
        Decision kept = decision.kept();
        return new Decision(kept.handle(), kept.decision(), kept.by(), null, kept.despiteHidden());
    }

    private Transition add(List<RawRecord> before, RawRecord newest) {
        long ends = before.stream().filter(raw -> !isProgress(raw) && !isDecision(raw)).count();
        long bytes = before.stream().filter(raw -> !isDecision(raw)).mapToLong(RawRecord::size).sum() + newest.size();
        if (ends >= MAX_ENDS || bytes > RawRecord.MAX_BYTES)
            return Transition.of(this, new HandleEffect.Letter(newest, DeadLetterReason.UNKNOWN_HANDLE));
        List<RawRecord> all = new ArrayList<>(before);
        all.add(newest);
        return Transition.of(new EarlyHandle(since, all));
    }

    private static boolean isDecision(RawRecord raw) {
        return raw.source() == RawRecord.Source.DECISION;
    }

    private static boolean isProgress(RawRecord raw) {
        return HandleMessage.read(raw) instanceof HandleMessage.Report said
                && said.completion().kind() == Completion.Kind.PROGRESS;
    }

    @Override
    public Transition answered(ModuleAnswer answer, DecisionContext at) {
        return Transition.of(this);
    }

    @Override
    public Transition due(HandleTimer due, DecisionContext at) {
        return new Transition(UnknownHandle.HANDLE,
                said.stream().<HandleEffect>map(raw -> new HandleEffect.Letter(raw, DeadLetterReason.UNKNOWN_HANDLE))
                        .toList());
    }

    @Override
    public Set<HandleTimer> dues() {
        return Set.of(HandleTimer.at(HandleTimer.later(since, KEPT), HandleTimer.Effect.FORGET));
    }

    @Override
    public boolean keepsCall() {
        return false;
    }
}
