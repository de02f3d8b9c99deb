package dev.toolfleet.worker.identity;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Memory of one assigned partition: the calls that were answered, that run, and that an earlier owner may have
/// started.
///
/// **Contract.** It is restored before the partition's first call, and dropped with the assignment (G1, G3).
///
/// **Threads.** Thread-safe: the take-over restores, call threads read and change, the transaction loop reports
/// commits. No method waits.
public final class PartitionState {
    private final RestoredResults results = new RestoredResults();
    private final DedupeWindow window;
    private final RunningCalls running = new RunningCalls();
    private final OpenIntents open = new OpenIntents();
    private final WaitingCalls waiting = new WaitingCalls();
    private final OpenApprovals approvals = new OpenApprovals();
    private volatile Consumer<ToolRef> freed = tool -> {};
    private final UnclaimedStarts claims = new UnclaimedStarts();
    private final Suspects suspects = new Suspects();
    private volatile CompletableFuture<?> owned = CompletableFuture.completedFuture(0L);
    private final FormerCalls former = new FormerCalls();
    private final InstanceLabels labels = new InstanceLabels();
    private final LoopLedger loops = new LoopLedger();
    private final BudgetLedger budgets = new BudgetLedger();
    private final LongSupplier nanos;

    /// @param nanos `System.nanoTime`
    public PartitionState(DedupeConfig config, LongSupplier nanos) {
        this.nanos = nanos;
        this.window = new DedupeWindow(config);
    }

    /// Restores the start of reading; before the results.
    public synchronized void restoreStart(LogStart log) {
        results.begin(log);
        window.begin(log);
    }

    /// Restores a result from `tool.result`; in the order of the results. A replay never replaces an answer: it repeats
    /// one that may not be the latest.
    ///
    /// @param callOffset of the call that it answers
    /// @param calledAt append time of that call, in epoch milliseconds; -1 if the result does not name it
    /// @param replayed whether it repeats an earlier result for a duplicate
    public synchronized void restoreAnswer(String identity, long callOffset, long calledAt, EarlierAnswer answer,
            boolean replayed) {
        results.add(identity, callOffset, calledAt, answer.answeredAt());
        // Only the record itself can be a duplicate of such a call.
        if (!CallIdentity.isOfRecord(identity))
            window.restore(Digest128.of(identity), answer, replayed);
    }

    /// Restores an intent without a result, appended at `writtenAt`, in epoch milliseconds; -1 if that is not known.
    public synchronized void restoreOpen(CallIntent intent, long writtenAt) {
        open.add(intent);
        former.add(intent, writtenAt);
    }

    /// Restores an entry that this version cannot read: its call must not run.
    public synchronized void restoreUnreadable(String identity) {
        restoreClosed(identity);
        open.addUnreadable(identity);
    }

    /// Restores a call that waits for its handle.
    public synchronized void restorePending(OpenHandle handle) {
        open.remove(handle.identity());
        former.remove(handle.identity());
        waits(Digest128.of(handle.identity()), handle);
    }

    private WaitingCalls.@Nullable Call waits(Digest128 identity, OpenHandle handle) {
        approvals.ended(identity);
        if (handle.awaitsPerson())
            approvals.waits(identity, handle.instanceKey());
        return waiting.add(identity, handle);
    }

    /// Restores the end of an intent or a handle.
    public synchronized void restoreClosed(String identity) {
        open.remove(identity);
        former.remove(identity);
        waiting.remove(Digest128.of(identity));
        approvals.ended(Digest128.of(identity));
    }

    /// True if the call waits for the end of work that its tool began, and not for a person.
    public synchronized boolean awaitsWork(IdentifiedCall call) {
        WaitingCalls.Call waits = waiting.of(call.identityDigest());
        return waits != null && waits.asked() == null;
    }

    /// Returns the calls that the last owner may have had when it died.
    public Suspects suspects() {
        return suspects;
    }

    /// Sets the condition for the partition's first call: the commit of the owner's entry. It completes with null if
    /// the assignment ended first, exceptionally if the entry cannot be written. Must come before that call.
    public void ownedOnce(CompletableFuture<?> written) {
        owned = written;
    }

    /// Completes once the entry of the partition's owner is committed.
    public CompletableFuture<?> owned() {
        return owned;
    }

    /// Sets the listener for the tool of a pending call that has ended, or belongs to another worker now.
    public void tell(Consumer<ToolRef> listener) {
        freed = listener;
    }

    /// Runs `then` once the call's result, pending or final, is committed, or the call will have none here.
    public void whenEnded(IdentifiedCall call, Runnable then) {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = running.ended(call.identityDigest());
        }
        var _ = ended.whenComplete((_, _) -> then.run());
    }

    /// Ends the restoring.
    ///
    /// @param resumedEnd the end of `tool.call.resumed` by then
    /// @param journaledAt append time of its journal's newest record, in epoch milliseconds; -1 for none
    public synchronized void restored(long resumedEnd, long journaledAt) {
        claims.open(open.all().values(), resumedEnd, results.log(), nanos.getAsLong());
        former.restored(journaledAt);
    }

    /// Returns the calls of a former log that may still run.
    public FormerCalls former() {
        return former;
    }

    /// Returns the labels of the partition's instances.
    public InstanceLabels labels() {
        return labels;
    }

    /// Returns the counts of results in a row.
    public LoopLedger loops() {
        return loops;
    }

    /// Returns what was spent of budgets.
    public BudgetLedger budgets() {
        return budgets;
    }

    /// True if an arrival may go into its lane, although some calls that earlier owners began may not be there yet.
    synchronized boolean admits(Arrival arrival) {
        if (arrival instanceof Arrival.Call call && !results.hasAnswered(call.position().offset(), call.appendedAt()))
            suspects.offered(call.position());
        return claims.admits(arrival, nanos.getAsLong());
    }

    /// Notes that an arrival is in its lane.
    synchronized void claimed(Arrival arrival) {
        claims.claimed(arrival);
    }

    /// True if an earlier owner began an approved call, which then goes before others.
    public synchronized boolean began(Arrival.Granted granted) {
        return claims.began(granted);
    }

    /// Notes that approved calls before `position` were read, and that those that began were offered. Returns true if
    /// no call has to wait.
    public synchronized boolean settled(long position) {
        return claims.settled(position);
    }

    /// Returns the append time of the oldest call that waits for its handle, in epoch milliseconds.
    public OptionalLong oldestPending() {
        return waiting(WaitingCalls::oldest);
    }

    synchronized <T> T waiting(Function<WaitingCalls, T> look) {
        return look.apply(waiting);
    }

    /// Number of calls that wait for their handles.
    public int pending() {
        return waiting(WaitingCalls::size);
    }

    /// Returns the cancellations of the handles of pending calls that were cancelled.
    public synchronized List<CancelCall> cancelled(Cancellations cancellations) {
        return waiting.cancelled(cancellations);
    }

    /// Returns the intents of earlier owners without a result.
    public synchronized Map<String, CallIntent> open() {
        return open.all();
    }

    /// Returns the standing of a call. A call that gets [CallStanding.Fresh] or [CallStanding.Open] counts as running from then
    /// on, until [#committed]; one whose pending result is published again, until [#forget].
    public synchronized CallStanding judge(IdentifiedCall call) {
        if (results.answer(call))
            return new CallStanding.Done();
        Digest128 identity = call.identityDigest();
        RunningCalls.Call twin = running.of(identity);
        if (twin != null)
            return twin.standing(call);
        // An earlier owner that had forgotten the answer may have begun the call once more.
        boolean ofRecord = call.identity().isOfRecord();
        CallIntent intent = open.of(call);
        EarlierAnswer answer = intent == null && !ofRecord ? window.find(identity) : null;
        WaitingCalls.Call waits = waiting.of(identity);
        // Another record lay here, and its call goes on under this name.
        if (ofRecord && waits != null && waits.calledAt() != call.arrival().appendedAt())
            return new CallStanding.Conflict();
        if (answer != null)
            return replay(call, answer.fingerprint(), waits, new CallStanding.Answered(answer, waits != null));
        if (waits != null)
            return replay(call, waits.fingerprint(), waits, new CallStanding.Pending(waits.handle()));
        if (intent != null && !intent.fingerprint().equals(call.fingerprint()))
            return new CallStanding.Conflict();
        running.add(identity, call.fingerprintDigest());
        if (open.isUnreadable(call.identity().text()))
            return new CallStanding.Unreadable();
        if (intent != null) {
            // It has a record, and so a place in its lane.
            former.remove(intent.identity());
            return new CallStanding.Open(intent, ofRecord && intent.calledAt() == null && !results.log().sameLog());
        }
        return results.mayAnswer(call) ? new CallStanding.Doubtful() : new CallStanding.Fresh();
    }

    /// Returns the standing of a call whose latest answer is published again. While the call waits for its handle that
    /// answer is a pending result, which must not lie behind the final one. Otherwise: the replay is read, the outcome
    /// is published, the replay is published; from then on the call seems to wait.
    private CallStanding replay(IdentifiedCall call, Digest128 fingerprint, WaitingCalls.@Nullable Call waits,
            CallStanding answered) {
        if (!fingerprint.equals(call.fingerprintDigest()))
            return new CallStanding.Conflict();
        if (waits != null)
            running.add(call.identityDigest(), fingerprint);
        return answered;
    }

    /// Returns the standing of an outcome for a call's handle. One that gets [CallStanding.Fresh] counts as being published
    /// from then on, until [#committed].
    public synchronized CallStanding judgeOutcome(IdentifiedCall call, String handle) {
        Digest128 identity = call.identityDigest();
        RunningCalls.Call busy = running.of(identity);
        // Its pending result may be committed, and the commit not yet reported here.
        if (busy != null)
            return new CallStanding.Twin(busy.ended());
        WaitingCalls.Call waits = waiting.of(identity);
        if (waits == null || !waits.isFor(call, handle))
            return new CallStanding.Done();
        running.add(identity, waits.fingerprint());
        return new CallStanding.Fresh();
    }

    /// Returns the standing of an approval for a call's handle, under whose name its start is noted. A call that gets
    /// [CallStanding.Fresh] or [CallStanding.Open] counts as running from then on, until it is committed. The journal's entry
    /// decides which arguments were approved, not the approval's record. Otherwise: a sender that can write only that
    /// record runs other arguments.
    public CallStanding judgeGrant(IdentifiedCall call, ResumedCall.Grant grant) {
        Digest128 arguments = call.presentDigest();
        synchronized (this) {
            WaitingCalls.Call waits = waiting.of(call.identityDigest());
            if (waits != null && waits.isFor(call, grant.handle())) {
                String why = waits.whyForged(call, arguments, grant);
                if (why != null)
                    return new CallStanding.Forged(why);
            }
            CallStanding stands = judgeOutcome(call, grant.handle());
            if (!(stands instanceof CallStanding.Fresh))
                return stands;
            // The person has answered, so the call waits for none.
            approvals.ended(call.identityDigest());
            CallStanding began = open.start(call.identity().resumedBy(grant.handle()).text());
            return began == null ? stands : began;
        }
    }

    /// Notes that a running call's pending result was committed.
    ///
    /// @param handle the handle for which the call waits
    /// @param resultOffset of the result on `tool.result`
    /// @param answeredAt append time of the result, in epoch milliseconds
    public void committedPending(IdentifiedCall call, OpenHandle handle, long resultOffset, long answeredAt) {
        synchronized (this) {
            closed(call, waits(call.identityDigest(), handle));
        }
        RunningCalls.settle(remember(call, resultOffset, answeredAt));
    }

    /// Notes that a running call's final result was committed.
    ///
    /// @param answeredAt append time of the result, in epoch milliseconds
    public void committed(IdentifiedCall call, long resultOffset, long answeredAt) {
        ToolRef tool;
        synchronized (this) {
            WaitingCalls.Call ended = waiting.remove(call.identityDigest());
            approvals.ended(call.identityDigest());
            closed(call, ended);
            tool = ended == null ? null : ended.tool();
        }
        RunningCalls.settle(remember(call, resultOffset, answeredAt));
        if (tool != null)
            freed.accept(tool);
    }

    /// Closes the start that an approval allowed, together with the wait for it.
    private void closed(IdentifiedCall call, WaitingCalls.@Nullable Call waited) {
        if (waited != null && !open.isEmpty())
            open.remove(call.identity().resumedBy(waited.handle()).text());
    }

    private synchronized RunningCalls.@Nullable Call remember(IdentifiedCall call, long resultOffset, long answeredAt) {
        if (!call.identity().isOfRecord())
            window.add(call.identityDigest(), new EarlierAnswer(call.fingerprintDigest(), resultOffset, answeredAt));
        open.remove(call.identity().text());
        return removed(call);
    }

    /// Ends a running call without a result here: the waits for it are cancelled.
    public void left(IdentifiedCall call) {
        RunningCalls.Call ended = removed(call);
        if (ended != null)
            ended.ended().cancel(false);
    }

    /// Ends a running call without an answer that could be remembered: calls that wait for it are judged again.
    public void forget(IdentifiedCall call) {
        RunningCalls.settle(removed(call));
    }

    /// True if a running call may ask a person. If so, it counts among its instance's open approvals from now on, until
    /// it is granted or ends.
    ///
    /// @param most the most open approvals of an instance
    public synchronized boolean mayAsk(IdentifiedCall call, int most) {
        return approvals.asks(call.identityDigest(), call.arrival().call().instanceKey(), most);
    }

    private synchronized RunningCalls.@Nullable Call removed(IdentifiedCall call) {
        approvals.ranOut(call.identityDigest());
        return running.remove(call.identityDigest());
    }

    /// Notes that calls from `offset` on were read, the first of them appended at `appendedAt`, in epoch milliseconds.
    public synchronized void read(long offset, long appendedAt) {
        window.read(offset, appendedAt);
    }

    /// Notes that every call below `offset` is finished.
    public synchronized void frontier(long offset) {
        window.frontier(offset);
        results.frontier(offset);
        claims.frontier(offset);
    }

    /// Ends the assignment: the waits for running calls are cancelled.
    public void close() {
        List<RunningCalls.Call> left;
        Set<ToolRef> waited;
        synchronized (this) {
            left = running.close();
            waited = waiting.tools();
        }
        // Not under the lock: the listeners call back.
        left.forEach(call -> call.ended().cancel(false));
        waited.forEach(freed);
    }

    /// Number of answers that are known.
    public int answers() {
        return answers(DedupeWindow::size);
    }

    synchronized <T> T answers(Function<DedupeWindow, T> look) {
        return look.apply(window);
    }
}
