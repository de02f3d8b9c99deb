package dev.toolfleet.gateway.readmodel;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.TopicPosition;
import org.jspecify.annotations.Nullable;

/// Merge of the pages of several replicas, the newest call first. For one merge.
///
/// **Contract.** A call is taken only if no page can have a newer one that it has not shown. So the list stays in its order
/// where a replica has stopped early, and what is left of a page is read again with the next one.
final class PageMerge {
    private final List<Rest> rests;
    private final List<CallSummary> calls = new ArrayList<>();

    /// Rest of a page.
    private static final class Rest {
        private final CallPage page;
        private int taken;

        Rest(CallPage page) {
            this.page = page;
        }

        boolean isEmpty() {
            return taken == page.calls().size();
        }

        CallSummary first() {
            return page.calls().get(taken);
        }

        List<CallSummary> calls() {
            return page.calls().subList(taken, page.calls().size());
        }

        /// Returns the time at and below which its replica may have further calls, once all of the page is taken.
        Optional<Instant> unknownFrom() {
            if (!isEmpty() || page.complete())
                return Optional.empty();
            return page.searchedTo() != null
                    ? Optional.of(page.searchedTo())
                    : page.calls().isEmpty() ? Optional.empty() : Optional.of(page.calls().getLast().acceptedAt());
        }
    }

    private PageMerge(List<CallPage> pages) {
        this.rests = pages.stream().map(Rest::new).toList();
    }

    /// Returns the merged page.
    ///
    /// @param before the position of an earlier page; null to begin with the newest call
    /// @param missing partitions that none of the pages has
    static CallPage of(List<CallPage> pages, @Nullable TopicPosition before, int limit, Set<Integer> missing) {
        PageMerge merge = new PageMerge(pages);
        merge.take(limit);
        return merge.page(before, limit, missing);
    }

    private void take(int limit) {
        while (calls.size() < limit) {
            Optional<Rest> newest = rests.stream().filter(rest -> !rest.isEmpty())
                    .min(Comparator.comparing(Rest::first, CallSummary.NEWEST_FIRST));
            if (newest.isEmpty() || unknownFrom()
                    .filter(time -> !newest.get().first().acceptedAt().isAfter(time)).isPresent())
                return;
            calls.add(newest.get().first());
            newest.get().taken++;
        }
    }

    private Optional<Instant> unknownFrom() {
        return rests.stream().flatMap(rest -> rest.unknownFrom().stream()).max(Comparator.naturalOrder());
    }

    private CallPage page(@Nullable TopicPosition before, int limit, Set<Integer> missing) {
        SortedMap<Integer, Long> reached = new TreeMap<>();
        List<CallSummary> left = new ArrayList<>();
        boolean complete = true;
        for (Rest rest : rests) {
            reached.putAll(rest.page.reached().offsets());
            left.addAll(rest.calls());
            complete &= rest.page.complete() && rest.isEmpty();
        }
        SortedMap<Integer, Long> unread = before == null ? new TreeMap<>() : new TreeMap<>(before.offsets());
        unread.keySet().retainAll(missing);
        unread.values().removeIf(offset -> offset == 0);
        // A partition whose owner is gone since an earlier page continues where that page has left it.
        reached.putAll(unread);
        complete &= unread.isEmpty();
        Instant searchedTo = calls.size() == limit ? null : unknownFrom().orElse(null);
        return new CallPage(calls, CallPage.before(left, new TopicPosition(reached)), complete, searchedTo, missing);
    }
}
