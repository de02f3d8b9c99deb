package dev.toolfleet.gateway.calls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VisibleCallsTest {
    private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");

    private final Reads reads = new Reads();
    private final VisibleCalls calls = new VisibleCalls(reads);

    /// Calls of one partition. Its lists look at some calls only, and may break off.
    private static final class Reads implements CallReads {
        private int count;
        private int budget = Integer.MAX_VALUE;
        private int answers = Integer.MAX_VALUE;
        private final List<Integer> limits = new ArrayList<>();

        @Override
        public Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit) {
            if (answers-- <= 0)
                return new Answer.Unavailable<>("moving");
            limits.add(limit);
            long below = before == null ? count : before.offsets().getOrDefault(0, 0L);
            long first = Math.max(0, below - Math.min(limit, budget));
            List<CallSummary> page = LongStream.range(first, below).mapToObj(VisibleCallsTest::call)
                    .sorted(CallSummary.NEWEST_FIRST).toList();
            return new Answer.Found<>(new CallPage(page, new TopicPosition(new TreeMap<>(Map.of(0, first))),
                    first == 0, first > 0 && budget < limit ? call(first - 1).acceptedAt() : null, Set.of(7)));
        }

        @Override
        public Answer<FleetLoad> load() {
            return new Answer.Unavailable<>("lists only");
        }

        @Override
        public Answer<CallView> find(CallId id) {
            return new Answer.Unavailable<>("lists only");
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait) {
            return new Answer.Unavailable<>("lists only");
        }

        @Override
        public Answer<CallId> callOf(String instanceKey, CallIdentity identity) {
            return new Answer.Unavailable<>("lists only");
        }

        @Override
        public Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit,
                Duration wait) {
            return new Answer.Unavailable<>("lists only");
        }
    }

    private static CallSummary call(long offset) {
        return CallSummary.accepted(new CallId(0, offset),
                ToolCall.of("c" + offset, "n", Json.MAPPER.createObjectNode(), "i"), START.plusSeconds(offset));
    }

    private CallPage page(@Nullable TopicPosition before, int limit, Predicate<CallSummary> visible) {
        if (calls.list(CallFilter.ALL, before, limit, visible) instanceof Answer.Found<CallPage>(CallPage page))
            return page;
        throw new AssertionError("a page expected");
    }

    private static boolean isTenth(CallSummary call) {
        return call.id().offset() % 10 == 0;
    }

    @Test
    void pagesAreFilledWithVisibleCallsWithoutGapsAndRepeats() {
        reads.count = 1_000;
        List<CallSummary> seen = new ArrayList<>();
        TopicPosition before = null;
        do {
            CallPage page = page(before, 7, VisibleCallsTest::isTenth);
            assertThat(page.calls().size() == 7 || page.complete()).isTrue();
            assertThat(page.searchedTo()).isNull();
            seen.addAll(page.calls());
            before = page.next();
        } while (before != null);

        assertThat(seen).extracting(each -> each.id().offset())
                .containsExactlyElementsOf(LongStream.range(0, 100).mapToObj(i -> (99 - i) * 10).toList());
    }

    @Test
    void aReaderWhoSeesAllReadsOnePage() {
        reads.count = 1_000;

        CallPage page = page(null, 50, call -> true);

        assertThat(page.calls()).hasSize(50).first().isEqualTo(call(999));
        assertThat(page.missing()).containsExactly(7);
        assertThat(reads.limits).containsExactly(50);
    }

    @Test
    void aReaderWhoSeesNothingEndsAtTheBound() {
        reads.count = 100_000;

        CallPage page = page(null, 50, call -> false);

        assertThat(page.calls()).isEmpty();
        assertThat(page.complete()).isFalse();
        long looked = 100_000 - page.reached().offsets().getOrDefault(0, 0L);
        assertThat(looked).isBetween((long) VisibleCalls.MOST, VisibleCalls.MOST + 1_000L);
        assertThat(page.searchedTo()).isEqualTo(call(100_000 - looked).acceptedAt());
    }

    @Test
    void aSearchThatStopsEndsThePage() {
        reads.count = 1_000;
        reads.budget = 20;

        CallPage page = page(null, 50, VisibleCallsTest::isTenth);

        assertThat(page.calls()).containsExactly(call(990), call(980));
        assertThat(page.searchedTo()).isEqualTo(call(979).acceptedAt());
        assertThat(page(page.next(), 50, VisibleCallsTest::isTenth).calls()).containsExactly(call(970), call(960));
    }

    @Test
    void whatWasReadIsShownWhenTheRestIsUnavailable() {
        reads.count = 1_000;
        reads.answers = 1;

        CallPage page = page(null, 50, VisibleCallsTest::isTenth);

        assertThat(page.calls()).hasSize(5);
        assertThat(page.next()).isNotNull();
        assertThat(page.searchedTo()).isEqualTo(call(950).acceptedAt());
        assertThat(calls.list(CallFilter.ALL, null, 50, call -> true)).isEqualTo(new Answer.Unavailable<>("moving"));
    }
}
