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
record PendingHandle(PendingCall call, Instant heardAt, @Nullable Instant shownAt, @Nullable Instant heartbeatDue,
        @Nullable Instant questionDue, int asked, @Nullable List<String> approvers) implements HandleLifecycle {
    /// Shortest time between two progress records of a call.
    static final Duration SHOW_AT_MOST = Duration.ofSeconds(1);
    /// The longest message of a progress record, in UTF-16 units.
    static final int MAX_MESSAGE = 1_000;
    /// Time after which a question without an answer counts as lost, perhaps with its worker. A module has 30 s.
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(45);
    /// Time after which the tool's declaration is looked up again if it is missing.
    static final Duration DECLARED_AGAIN_WITHIN = Duration.ofMinutes(1);
    private static final double JITTER = 0.1;

    PendingHandle(PendingCall call, Instant heardAt, @Nullable Instant shownAt, @Nullable Instant heartbeatDue,
            @Nullable Instant questionDue, int asked) {
        this(call, heardAt, shownAt, heartbeatDue, questionDue, asked, null);
    }

    PendingHandle {
        approvers = approvers == null || approvers.isEmpty() ? null : List.copyOf(approvers);
    }

    static PendingHandle begin(PendingCall pending, DecisionContext at) {
        boolean async = pending.kind() == PendingCall.Kind.ASYNC;
        Duration silence = pending.heartbeatTimeout();
        return new PendingHandle(PendingOutcomes.bare(pending.approvedBy(null)), at.now(), null,
                async && silence != null ? HandleTimer.later(at.now(), silence) : null,
                async && at.poll().isPresent() ? next(pending.handle(), 0, at.poll().get(), at.now()) : null, 0);
    }

    @Override
    public Transition pended(PendingCall other, DecisionContext at) {
        return call.isOf(other)
                ? Transition.of(this)
                : Transition.of(this, new HandleEffect.WriteAgain(call), PendingOutcomes.conflict(other));
    }

    @Override
    public Transition told(HandleMessage told, DecisionContext at) {
        return switch (told) {
            case HandleMessage.Report said when isQuestion() ->
                refused(said.raw(), DeadLetterReason.WRONG_KIND);
            case HandleMessage.Report said when !isTrusted(said.completion().token()) ->
                refused(said.raw(), DeadLetterReason.WRONG_TOKEN);
            case HandleMessage.Report said -> believed(said.completion(), at);
            case HandleMessage.Cancellation unwanted when !unwanted.cancel().instanceKey()
                    .equals(call.call().instanceKey()) ->
                refused(unwanted.raw(), DeadLetterReason.WRONG_INSTANCE);
            case HandleMessage.Cancellation unwanted -> Transition.of(
                    EndedHandle.of(call, CallEnd.CANCELLED, at.now(), hasModule() ? at.now() : null),
                    PendingOutcomes.cancelled(call, unwanted.cancel()), new HandleEffect.Tombstone());
            case HandleMessage.Decided decided -> ruled(ApprovalRules.decided(call, people(), decided, at), at);
        };
    }

    private Transition refused(RawRecord raw, DeadLetterReason why) {
        return Transition.of(this, new HandleEffect.Letter(raw, why));
    }

    private boolean isTrusted(@Nullable String token) {
        String hash = call.tokenHash();
        return hash == null || (token != null && MessageDigest.isEqual(hash.getBytes(StandardCharsets.UTF_8),
                Digests.sha256(token).getBytes(StandardCharsets.UTF_8)));
    }

    /// True if a person is waited for, so that no work reports.
    private boolean isQuestion() {
        return call.kind().isQuestion();
    }

    /// True if there is work that a module can stop.
    private boolean hasModule() {
        return call.kind() == PendingCall.Kind.ASYNC && call.origin() != null && call.origin().tool() != null;
    }

    private Transition believed(Completion completion, DecisionContext at) {
        Progress progress = completion.progress();
        return completion.kind() == Completion.Kind.PROGRESS
                ? heard(progress == null ? new Progress(null, null) : progress, at)
                : ended(PendingOutcomes.said(call, completion), at);
    }

    private Transition heard(Progress progress, DecisionContext at) {
        boolean says = progress.percent() != null || progress.message() != null;
        boolean shows = says && (shownAt == null || !at.now().isBefore(shownAt.plus(SHOW_AT_MOST)));
        PendingHandle next = new PendingHandle(call, at.now(), shows ? at.now() : shownAt, heartbeatDue, questionDue,
                asked,
                approvers);
        return new Transition(next, shows ? List.of(new HandleEffect.Show(call, cut(progress))) : List.of());
    }

    private static Progress cut(Progress progress) {
        String message = progress.message();
        return message == null ? progress : new Progress(progress.percent(), ErrorText.limit(message, MAX_MESSAGE));
    }

    private Transition ruled(ApprovalRules.Ruling ruling, DecisionContext at) {
        CallEnd end = ruling.end();
        return new Transition(end == null ? approvedBy(ruling.people()) : EndedHandle.of(call, end, at.now(), null),
                ruling.effects());
    }

    private Transition ended(HandleEffect.Outcome outcome, DecisionContext at) {
        return Transition.of(EndedHandle.of(call, outcome.how(), at.now(), null), outcome,
                new HandleEffect.Tombstone());
    }

    @Override
    public Transition answered(ModuleAnswer answer, DecisionContext at) {
        // No module is asked about a call that waits for a person, so no module may answer for one.
        if (isQuestion() || !answer.call().equals(CallPlace.of(call)))
            return Transition.of(this);
        return switch (answer) {
            case ModuleAnswer.Found(CallPlace _, Completion completion) -> {
                Transition step = believed(completion, at);
                yield step.next() instanceof PendingHandle open
                        ? new Transition(open.askedInVain(at), step.effects())
                        : step;
            }
            case ModuleAnswer.Silent _ -> Transition.of(askedInVain(at));
            case ModuleAnswer.Informed _ -> Transition.of(this);
        };
    }

    private PendingHandle askedInVain(DecisionContext at) {
        int times = asked == Integer.MAX_VALUE ? asked : asked + 1;
        return askingAt(at.poll().map(poll -> next(call.handle(), times, poll, at.now()))
                .orElseGet(() -> HandleTimer.later(at.now(), DECLARED_AGAIN_WITHIN)), times);
    }

    private PendingHandle askingAt(Instant due, int times) {
        return new PendingHandle(call, heardAt, shownAt, heartbeatDue, due, times, approvers);
    }

    /// Returns the time of the next question. It depends on handle and number, so that calls that began together are
    /// not asked about together.
    private static Instant next(String handle, int asked, PollSpec poll, Instant now) {
        // The first wait and the wait between the first two questions are the declared interval.
        Duration wait = poll.after(Math.max(0, asked - 1));
        int mixed = (31 * handle.hashCode() + asked) * 0x9E3779B9;
        double spread = 1 - JITTER + 2 * JITTER * (Integer.toUnsignedLong(mixed) / (double) (1L << 32));
        return HandleTimer.later(now, Duration.ofMillis(Math.max(1, (long) (wait.toMillis() * spread))));
    }

    @Override
    public Transition due(HandleTimer due, DecisionContext at) {
        return switch (due.what()) {
            case DEADLINE -> switch (call.kind()) {
                case ASYNC, UNKNOWN -> ended(PendingOutcomes.overdue(call), at);
                case APPROVAL, AUTHORIZATION -> ruled(ApprovalRules.expired(call, at), at);
            };
            case HEARTBEAT -> heartbeat(at);
            case QUESTION -> at.poll().isPresent()
                    ? Transition.of(askingAt(HandleTimer.later(at.now(), ANSWER_WITHIN), asked),
                            new HandleEffect.Ask(CallPlace.of(call)))
                    : Transition.of(askingAt(HandleTimer.later(at.now(), DECLARED_AGAIN_WITHIN), asked));
            case TELL, FORGET -> Transition.of(this);
        };
    }

    private Transition heartbeat(DecisionContext at) {
        Duration timeout = call.heartbeatTimeout();
        if (timeout == null)
            return Transition.of(new PendingHandle(call, heardAt, shownAt, null, questionDue, asked, approvers));
        Instant silentUntil = HandleTimer.later(heardAt, timeout);
        return HandleTimer.at(silentUntil, HandleTimer.Effect.HEARTBEAT).isReached(at.now())
                ? ended(PendingOutcomes.silent(call, heardAt, timeout), at)
                : Transition
                        .of(new PendingHandle(call, heardAt, shownAt, silentUntil, questionDue, asked, approvers));
    }

    @Override
    public Set<HandleTimer> dues() {
        Set<HandleTimer> dues = new HashSet<>();
        dues.add(HandleTimer.at(call.deadline(), HandleTimer.Effect.DEADLINE));
        if (heartbeatDue != null)
            dues.add(HandleTimer.at(heartbeatDue, HandleTimer.Effect.HEARTBEAT));
        if (questionDue != null)
            dues.add(HandleTimer.at(questionDue, HandleTimer.Effect.QUESTION));
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
    private PendingHandle approvedBy(List<String> people) {
        return new PendingHandle(call, heardAt, shownAt, heartbeatDue, questionDue, asked, people);
    }

    @Override
    public boolean keepsCall() {
        return true;
    }
}
