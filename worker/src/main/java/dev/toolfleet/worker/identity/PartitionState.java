package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.wire.CallIntent;
import org.jspecify.annotations.Nullable;

/// What one assigned partition remembers of its calls: which were answered, which run, and which an earlier owner may
/// have started (DESIGN 3 and 4.6). Restored before the partition's first call, and thrown away with the assignment.
///
/// Thread-safe: the take-over restores, calls ask, the transaction loop tells what it committed. Nothing here waits.
public final class PartitionState {

    private record Running(Digest128 fingerprint, CompletableFuture<Void> ended) {}

    private final AnsweredOffsets answeredOffsets = new AnsweredOffsets();
    private final DedupeWindow window;
    private final Map<Digest128, Running> running = new HashMap<>();
    private final Map<String, CallIntent> open = new HashMap<>();
    private boolean closed;

    /// A state that knows nothing.
    public PartitionState(DedupeConfig config) {
        this.window = new DedupeWindow(config);
    }

    /// Restores a result that stands on `tool.result`. Results are restored in their order.
    ///
    /// @param callOffset of the call that it answers
    public synchronized void restoreAnswer(String identity, long callOffset, Answer answer) {
        answeredOffsets.add(callOffset);
        window.add(Digest128.of(identity), answer);
    }

    /// Restores an intent without a result.
    public synchronized void restoreOpen(CallIntent intent) {
        open.put(intent.identity(), intent);
    }

    /// Restores that an intent is closed.
    public synchronized void restoreClosed(String identity) {
        open.remove(identity);
    }

    /// Intents of earlier owners without a result.
    public synchronized Map<String, CallIntent> open() {
        return Map.copyOf(open);
    }

    /// Where a call stands. One that is told [Standing.Fresh] or [Standing.Open] is running from then on, until
    /// [#committed].
    public synchronized Standing judge(IdentifiedCall call) {
        if (answeredOffsets.contains(call.arrival().position().offset()))
            return new Standing.Done();
        Digest128 identity = Digest128.of(call.identity().text());
        Digest128 fingerprint = Digest128.of(call.fingerprint());
        Answer answer = window.find(identity);
        if (answer != null)
            return answer.fingerprint().equals(fingerprint) ? new Standing.Answered(answer) : new Standing.Conflict();
        Running twin = running.get(identity);
        if (twin != null) {
            return twin.fingerprint().equals(fingerprint)
                    ? new Standing.Twin(twin.ended())
                    : new Standing.Conflict();
        }
        CallIntent intent = open.get(call.identity().text());
        if (intent != null && !intent.fingerprint().equals(call.fingerprint()))
            return new Standing.Conflict();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        if (closed)
            ended.cancel(false);
        running.put(identity, new Running(fingerprint, ended));
        return intent == null ? new Standing.Fresh() : new Standing.Open(intent);
    }

    /// A running call's result was committed.
    ///
    /// @param resultOffset of the result on `tool.result`
    /// @param answeredAt when it was appended, in epoch milliseconds
    public void committed(IdentifiedCall call, long resultOffset, long answeredAt) {
        Running ended = remember(call, resultOffset, answeredAt);
        if (ended != null)
            ended.ended().complete(null);
    }

    private synchronized @Nullable Running remember(IdentifiedCall call, long resultOffset,
            long answeredAt) {
        Digest128 identity = Digest128.of(call.identity().text());
        window.add(identity, new Answer(Digest128.of(call.fingerprint()), resultOffset, answeredAt));
        open.remove(call.identity().text());
        return running.remove(identity);
    }

    /// A running call ends without a result here: whoever waits for it waits in vain.
    public void left(IdentifiedCall call) {
        Running ended = forget(call);
        if (ended != null)
            ended.ended().cancel(false);
    }

    private synchronized @Nullable Running forget(IdentifiedCall call) {
        return running.remove(Digest128.of(call.identity().text()));
    }

    /// Calls from `offset` on were read; the first of them was appended at `appendedAt`, in epoch milliseconds.
    public synchronized void read(long offset, long appendedAt) {
        window.read(offset, appendedAt);
    }

    /// Every call below `offset` is finished.
    public synchronized void frontier(long offset) {
        window.frontier(offset);
    }

    /// The assignment has ended: whoever waits for a twin waits in vain.
    public synchronized void close() {
        closed = true;
        running.values().forEach(call -> call.ended().cancel(false));
    }

    /// How many answers are known.
    public synchronized int answers() {
        return window.size();
    }

    /// How many answers were forgotten because there were more than may be kept.
    public synchronized long forgotten() {
        return window.forgotten();
    }

    /// When the oldest answer that is still known was given, in epoch milliseconds; -1 for none.
    public synchronized long oldestAnswer() {
        return window.oldest();
    }
}
