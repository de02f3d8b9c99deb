package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.json.Digests;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import org.jspecify.annotations.Nullable;

/// State of a handle whose call waits for it.
///
/// @param call without arguments, because the state is written again with each sign of life
/// @param heardAt the time of the last sign of life
/// @param shownAt the time at which its progress was last published
/// @param heartbeatDue the time of the next check for silence; a check that comes early is repeated
/// @param questionDue the time at which its module is asked next
/// @param asked the number of answers without an end
/// @param approvers different people who have approved, in order; null for none
record Open(PendingCall call, Instant heardAt, @Nullable Instant shownAt, @Nullable Instant heartbeatDue,
        @Nullable Instant questionDue, int asked, @Nullable List<String> approvers) implements HandleState {
    /// Shortest time between two progress records of a call.
    static final Duration SHOW_AT_MOST = Duration.ofSeconds(1);
    /// The longest message of a progress record, in UTF-16 units.
    static final int MAX_MESSAGE = 1_000;
    /// Time after which a question without an answer counts as lost, perhaps with its worker. A module has 30 s.
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(45);
    /// Time after which the tool's declaration is looked up again if it is missing.
    static final Duration DECLARED_AGAIN_WITHIN = Duration.ofMinutes(1);
    private static final double JITTER = 0.1;

    Open(PendingCall call, Instant heardAt, @Nullable Instant shownAt, @Nullable Instant heartbeatDue,
            @Nullable Instant questionDue, int asked) {
        this(call, heardAt, shownAt, heartbeatDue, questionDue, asked, null);
    }

    Open {
        approvers = approvers == null || approvers.isEmpty() ? null : List.copyOf(approvers);
    }

    static Open begin(PendingCall pending, Moment at) {
        boolean async = pending.kind() == PendingCall.Kind.ASYNC;
        Duration silence = pending.heartbeatTimeout();
        return new Open(Outcomes.bare(pending.approvedBy(null)), at.now(), null,
                async && silence != null ? Due.later(at.now(), silence) : null,
                async && at.poll().isPresent() ? next(pending.handle(), 0, at.poll().get(), at.now()) : null, 0);
    }

    @Override
    public Step pended(PendingCall other, Moment at) {
        return call.isOf(other) ? Step.of(this) : Step.of(this, new Effect.WriteAgain(call), Outcomes.conflict(other));
    }

    @Override
    public Step told(Told told, Moment at) {
        return switch (told) {
            case Told.Said said when call.kind() == PendingCall.Kind.APPROVAL ->
                refused(said.raw(), Refusal.WRONG_KIND);
            case Told.Said said when !isTrusted(said.completion().token()) ->
                refused(said.raw(), Refusal.WRONG_TOKEN);
            case Told.Said said -> believed(said.completion(), at);
            case Told.Unwanted unwanted when !unwanted.cancel().instanceKey().equals(call.call().instanceKey()) ->
                refused(unwanted.raw(), Refusal.WRONG_INSTANCE);
            case Told.Unwanted unwanted -> Step.of(
                    Ended.of(call, Ending.CANCELLED, at.now(), hasModule() ? at.now() : null),
                    Outcomes.cancelled(call, unwanted.cancel()), new Effect.Tombstone());
            case Told.Decided decided -> Approvals.decided(this, decided, at);
        };
    }

    private Step refused(Raw raw, Refusal why) {
        return Step.of(this, new Effect.Letter(raw, why));
    }

    private boolean isTrusted(@Nullable String token) {
        String hash = call.tokenHash();
        return hash == null || (token != null && MessageDigest.isEqual(hash.getBytes(StandardCharsets.UTF_8),
                Digests.sha256(token).getBytes(StandardCharsets.UTF_8)));
    }

    /// True if there is work that a module can stop.
    private boolean hasModule() {
        return call.kind() == PendingCall.Kind.ASYNC && call.origin() != null && call.origin().tool() != null;
    }

    private Step believed(Completion completion, Moment at) {
        Progress progress = completion.progress();
        return completion.kind() == Completion.Kind.PROGRESS
                ? heard(progress == null ? new Progress(null, null) : progress, at)
                : ended(Outcomes.said(call, completion), at);
    }

    private Step heard(Progress progress, Moment at) {
        boolean says = progress.percent() != null || progress.message() != null;
        boolean shows = says && (shownAt == null || !at.now().isBefore(shownAt.plus(SHOW_AT_MOST)));
        Open next = new Open(call, at.now(), shows ? at.now() : shownAt, heartbeatDue, questionDue, asked,
                approvers);
        return new Step(next, shows ? List.of(new Effect.Show(call, cut(progress))) : List.of());
    }

    private static Progress cut(Progress progress) {
        String message = progress.message();
        return message == null ? progress : new Progress(progress.percent(), ErrorText.limit(message, MAX_MESSAGE));
    }

    private Step ended(Effect.Outcome outcome, Moment at) {
        return Step.of(Ended.of(call, outcome.how(), at.now(), null), outcome, new Effect.Tombstone());
    }

    @Override
    public Step answered(Answer answer, Moment at) {
        // No module is asked about a call that waits for a person, so no module may answer for one.
        if (call.kind() == PendingCall.Kind.APPROVAL || !answer.call().equals(CallPlace.of(call)))
            return Step.of(this);
        return switch (answer) {
            case Answer.Found(CallPlace _, Completion completion) -> {
                Step step = believed(completion, at);
                yield step.next() instanceof Open open
                        ? new Step(open.askedInVain(at), step.effects())
                        : step;
            }
            case Answer.Silent _ -> Step.of(askedInVain(at));
            case Answer.Informed _ -> Step.of(this);
        };
    }

    private Open askedInVain(Moment at) {
        int times = asked == Integer.MAX_VALUE ? asked : asked + 1;
        return askingAt(at.poll().map(poll -> next(call.handle(), times, poll, at.now()))
                .orElseGet(() -> Due.later(at.now(), DECLARED_AGAIN_WITHIN)), times);
    }

    private Open askingAt(Instant due, int times) {
        return new Open(call, heardAt, shownAt, heartbeatDue, due, times, approvers);
    }

    /// Returns the time of the next question. It depends on handle and number, so that calls that began together are
    /// not asked about together.
    private static Instant next(String handle, int asked, PollSpec poll, Instant now) {
        // The first wait and the wait between the first two questions are the declared interval.
        Duration wait = poll.after(Math.max(0, asked - 1));
        int mixed = (31 * handle.hashCode() + asked) * 0x9E3779B9;
        double spread = 1 - JITTER + 2 * JITTER * (Integer.toUnsignedLong(mixed) / (double) (1L << 32));
        return Due.later(now, Duration.ofMillis(Math.max(1, (long) (wait.toMillis() * spread))));
    }

    @Override
    public Step due(Due due, Moment at) {
        return switch (due.what()) {
            case DEADLINE -> switch (call.kind()) {
                case ASYNC, UNKNOWN -> ended(Outcomes.overdue(call), at);
                case APPROVAL -> Approvals.expired(call, at);
            };
            case HEARTBEAT -> heartbeat(at);
            case QUESTION -> at.poll().isPresent()
                    ? Step.of(askingAt(Due.later(at.now(), ANSWER_WITHIN), asked), new Effect.Ask(CallPlace.of(call)))
                    : Step.of(askingAt(Due.later(at.now(), DECLARED_AGAIN_WITHIN), asked));
            case TELL, FORGET -> Step.of(this);
        };
    }

    private Step heartbeat(Moment at) {
        Duration timeout = call.heartbeatTimeout();
        if (timeout == null)
            return Step.of(new Open(call, heardAt, shownAt, null, questionDue, asked, approvers));
        Instant silentUntil = Due.later(heardAt, timeout);
        return Due.at(silentUntil, Due.What.HEARTBEAT).isReached(at.now())
                ? ended(Outcomes.silent(call, heardAt, timeout), at)
                : Step.of(new Open(call, heardAt, shownAt, silentUntil, questionDue, asked, approvers));
    }

    @Override
    public Set<Due> dues() {
        Set<Due> dues = new HashSet<>();
        dues.add(Due.at(call.deadline(), Due.What.DEADLINE));
        if (heartbeatDue != null)
            dues.add(Due.at(heartbeatDue, Due.What.HEARTBEAT));
        if (questionDue != null)
            dues.add(Due.at(questionDue, Due.What.QUESTION));
        return dues;
    }

    /// True for an approval that not every decision can give.
    boolean isConditional() {
        Approval asked = call.approval();
        return asked != null && asked.hidden() != null && !asked.isShownWhole();
    }

    /// True for an approval for which names count.
    boolean isNamed() {
        Approval approval = call.approval();
        return approval != null && approval.isNamed();
    }

    /// Returns the people who have approved so far.
    List<String> people() {
        return approvers == null ? List.of() : approvers;
    }

    /// Returns the same call, approved by these people.
    Open approvedBy(List<String> people) {
        return new Open(call, heardAt, shownAt, heartbeatDue, questionDue, asked, people);
    }

    @Override
    public boolean keepsCall() {
        return true;
    }
}
