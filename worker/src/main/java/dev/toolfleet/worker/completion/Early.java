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
record Early(Instant since, List<Raw> said) implements HandleState {
    static final Duration KEPT = Duration.ofHours(1);
    /// Bound on ends. Otherwise: a sender that guesses tokens fills the store.
    static final int MAX_ENDS = 4;
    /// More than the largest quorum, plus one place for a rejection.
    static final int MAX_APPROVALS = 6;
    /// Bound on approvals: beside [Raw#MAX_BYTES] of other records, and one rejection, they fit into a record of the
    /// store.
    private static final int MAX_APPROVAL_BYTES = 2 * HandleIntake.MAX_DECISION;

    Early {
        said = List.copyOf(said);
    }

    /// Handles the kept records as if all of them came now.
    @Override
    public Step pended(PendingCall call, Moment at) {
        HandleState state = Open.begin(call, at);
        List<Effect> effects = new ArrayList<>();
        for (Raw raw : said) {
            Step step = state.told(Told.read(raw), at);
            state = step.next();
            effects.addAll(step.effects());
        }
        return new Step(state, effects);
    }

    @Override
    public Step told(Told told, Moment at) {
        return switch (told) {
            case Told.Said said when said.completion().kind() == Completion.Kind.PROGRESS -> progress(said);
            case Told.Said said -> end(said);
            case Told.Unwanted unwanted -> this.said.stream().anyMatch(raw -> raw.source() == Raw.Source.CANCEL)
                    ? Step.of(this)
                    : add(this.said, unwanted.raw());
            case Told.Decided decided -> decide(decided);
        };
    }

    private Step progress(Told.Said newest) {
        return add(said.stream().filter(raw -> !isProgress(raw)).toList(), newest.raw());
    }

    private Step end(Told.Said said) {
        boolean second = this.said.stream().map(Told::read).anyMatch(
                earlier -> earlier instanceof Told.Said other && other.completion().kind() != Completion.Kind.PROGRESS
                        && Objects.equals(other.completion().token(), said.completion().token()));
        return second ? Step.of(this, new Effect.Letter(said.raw(), Refusal.LATE)) : add(this.said, said.raw());
    }

    /// Keeps a decision that may count: the number of people who must approve is not known yet. No decision behind a
    /// rejection counts.
    private Step decide(Told.Decided newest) {
        int bytes = said.stream().filter(Early::isDecision).mapToInt(Raw::size).sum();
        List<Decision> before = said.stream().map(Told::read)
                .flatMap(told -> told instanceof Told.Decided(Decision decision, Raw _)
                        ? Stream.of(words(decision))
                        : Stream.empty())
                .toList();
        boolean approves = newest.decision().decision() == Decision.Verdict.APPROVE;
        boolean counts = before.stream().noneMatch(one -> one.decision() == Decision.Verdict.REJECT)
                && !before.contains(words(newest.decision())) && (!approves || before.isEmpty()
                        || (before.size() < MAX_APPROVALS && bytes + newest.raw().size() <= MAX_APPROVAL_BYTES));
        return counts
                ? Step.of(new Early(since, Stream.concat(said.stream(), Stream.of(newest.raw())).toList()))
                : Step.of(this, new Effect.Letter(newest.raw(), Refusal.LATE));
    }

    /// Returns a decision without its reason, for comparison.
    private static Decision words(Decision decision) {
        Decision kept = decision.kept();
        return new Decision(kept.handle(), kept.decision(), kept.by(), null, kept.despiteHidden());
    }

    private Step add(List<Raw> before, Raw newest) {
        long ends = before.stream().filter(raw -> !isProgress(raw) && !isDecision(raw)).count();
        long bytes = before.stream().filter(raw -> !isDecision(raw)).mapToLong(Raw::size).sum() + newest.size();
        if (ends >= MAX_ENDS || bytes > Raw.MAX_BYTES)
            return Step.of(this, new Effect.Letter(newest, Refusal.UNKNOWN_HANDLE));
        List<Raw> all = new ArrayList<>(before);
        all.add(newest);
        return Step.of(new Early(since, all));
    }

    private static boolean isDecision(Raw raw) {
        return raw.source() == Raw.Source.DECISION;
    }

    private static boolean isProgress(Raw raw) {
        return Told.read(raw) instanceof Told.Said said && said.completion().kind() == Completion.Kind.PROGRESS;
    }

    @Override
    public Step answered(Answer answer, Moment at) {
        return Step.of(this);
    }

    @Override
    public Step due(Due due, Moment at) {
        return new Step(Unknown.HANDLE,
                said.stream().<Effect>map(raw -> new Effect.Letter(raw, Refusal.UNKNOWN_HANDLE)).toList());
    }

    @Override
    public Set<Due> dues() {
        return Set.of(Due.at(Due.later(since, KEPT), Due.What.FORGET));
    }

    @Override
    public boolean keepsCall() {
        return false;
    }
}
