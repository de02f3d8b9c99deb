package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/// List of the calls that one reader may see.
///
/// **Contract.** A page is filled with visible calls, unless there are no more, a search has used its budget, or
/// [#MOST] calls were looked at. In the latter cases the page has [CallPage#searchedTo], and the list continues behind
/// it.
///
/// **Why.** The read model knows nothing of principals, so hidden calls take up room in its pages.
///
/// @param reads the calls of all partitions
public record VisibleCalls(CallReads reads) {
    /// Calls after which a page reads no more.
    static final int MOST = 10_000;
    private static final int MOST_AT_ONCE = 1_000;

    /// Returns the newest selected calls that the reader may see.
    ///
    /// @param before the position of an earlier page; null to begin with the newest call
    /// @param limit the largest number of calls, at least 1
    /// @param visible rejects the calls that the reader may not see
    public Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit,
            Predicate<CallSummary> visible) {
        int atOnce = limit;
        Answer<CallPage> answer = reads.list(filter, before, atOnce);
        Shown shown = new Shown(limit, visible);
        while (answer instanceof Answer.Found<CallPage>(CallPage page)) {
            if (shown.isLast(page))
                return new Answer.Found<>(shown.page());
            atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
            answer = reads.list(filter, page.reached(), atOnce);
        }
        return shown.isEmpty() ? answer : new Answer.Found<>(shown.page());
    }

    /// Visible calls of the pages that were read.
    private static final class Shown {
        private final int limit;
        private final Predicate<CallSummary> visible;
        private final List<CallSummary> calls = new ArrayList<>();
        private final Set<Integer> missing = new TreeSet<>();
        private @Nullable CallPage last;
        private @Nullable Instant searchedTo;
        private int looked;

        Shown(int limit, Predicate<CallSummary> visible) {
            this.limit = limit;
            this.visible = visible;
        }

        /// Adds the visible calls of a page. Returns true if no further page is needed.
        boolean isLast(CallPage page) {
            CallPage used = page.first(take(page.calls()));
            last = used;
            missing.addAll(used.missing());
            looked += used.calls().size();
            if (!used.calls().isEmpty())
                searchedTo = used.calls().getLast().acceptedAt();
            if (used.searchedTo() != null)
                searchedTo = used.searchedTo();
            return isFull() || used.complete() || used.searchedTo() != null || used.calls().isEmpty()
                    || looked >= MOST;
        }

        /// Returns the number of calls of the page that were looked at.
        private int take(List<CallSummary> page) {
            int taken = 0;
            while (taken < page.size() && !isFull()) {
                CallSummary call = page.get(taken++);
                if (visible.test(call))
                    calls.add(call);
            }
            return taken;
        }

        private boolean isFull() {
            return calls.size() == limit;
        }

        boolean isEmpty() {
            return last == null;
        }

        CallPage page() {
            CallPage end = last;
            if (end == null)
                throw new IllegalStateException("no page was read");
            return new CallPage(calls, end.reached(), end.complete(),
                    isFull() || end.complete() ? null : searchedTo, missing);
        }
    }
}
