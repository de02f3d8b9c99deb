package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/// Part of a list of calls.
///
/// **Contract.** The calls below [#reached] are those that this page and the pages before it have not shown. So a reader
/// that continues there misses no call and gets none twice, whatever was appended or has ended meanwhile.
///
/// @param calls the newest first; those of one partition by their offsets, from the highest
/// @param reached of each partition that was read, now or for an earlier page, the offset below which the list continues
/// @param complete true if no older call is selected in these partitions, nor in missing ones that an earlier page had
/// @param searchedTo the time down to which the calls were searched when the budget was over; null when it was not
/// @param missing partitions that could not be read, since no owner answers
public record CallPage(List<CallSummary> calls, TopicPosition reached, boolean complete, @Nullable Instant searchedTo,
        Set<Integer> missing) {
    /// Copies the lists.
    public CallPage {
        calls = List.copyOf(calls);
        missing = Collections.unmodifiableSet(new TreeSet<>(missing));
    }

    /// Returns the position behind which the list continues with older calls; null when there are none.
    @JsonIgnore
    public @Nullable TopicPosition next() {
        return complete ? null : reached;
    }

    /// Returns the page that ends behind the first calls. The others are for the next page.
    public CallPage first(int count) {
        if (count >= calls.size())
            return this;
        return new CallPage(calls.subList(0, count), before(calls.subList(count, calls.size()), reached), false, null,
                missing);
    }

    /// Returns the position from which these calls are read again, and then those below a position.
    public static TopicPosition before(List<CallSummary> calls, TopicPosition reached) {
        SortedMap<Integer, Long> offsets = new TreeMap<>(reached.offsets());
        calls.forEach(call -> offsets.merge(call.id().partition(), call.id().offset() + 1, Math::max));
        return new TopicPosition(offsets);
    }
}
