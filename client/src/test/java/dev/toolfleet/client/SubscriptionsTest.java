package dev.toolfleet.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubscriptionsTest {
    @Test
    void resultsBeforeTheStartAndThoseHeardBeforeAreLeftOut() {
        Heard heard = new Heard();
        Subscriptions subscriptions = new Subscriptions(Runnable::run);
        subscriptions.add("i", Map.of(0, 10L), heard);

        for (long offset : new long[]{9, 10, 12, 11, 12, 13})
            subscriptions.offer(arrived("i", offset));
        subscriptions.offer(arrived("another", 14));

        assertThat(heard.offsets).containsExactly(10L, 12L, 13L);
    }

    @Test
    void aListenerThatIsTooSlowIsToldAndLeftBehind() {
        Queue<Runnable> asleep = new ArrayDeque<>();
        Heard heard = new Heard();
        Subscriptions subscriptions = new Subscriptions(asleep::add);
        subscriptions.add("i", Map.of(), heard);

        for (long offset = 0; offset <= Subscriptions.MAX_WAITING + 10; offset++)
            subscriptions.offer(arrived("i", offset));
        assertThat(subscriptions.concerns("i")).isFalse();
        asleep.remove().run();

        assertThat(heard.offsets).hasSize(Subscriptions.MAX_WAITING + 1);
        assertThat(heard.ends).containsExactly(ToolFleetClientException.Reason.OVERFLOW);
    }

    @Test
    void aListenerThatFailsHearsTheNextResult() {
        List<Long> heard = new ArrayList<>();
        Subscriptions subscriptions = new Subscriptions(Runnable::run);
        subscriptions.add("i", Map.of(), result -> {
            heard.add(result.callOffset());
            throw new IllegalStateException("as asked");
        });

        subscriptions.offer(arrived("i", 1));
        subscriptions.offer(arrived("i", 2));

        assertThat(heard).containsExactly(1L, 2L);
    }

    @Test
    void aClosedSubscriptionHearsNothingMore() {
        Heard heard = new Heard();
        Subscriptions subscriptions = new Subscriptions(Runnable::run);
        Subscription subscription = subscriptions.add("i", Map.of(), heard);

        subscription.close();
        subscriptions.offer(arrived("i", 1));

        assertThat(heard.offsets).isEmpty();
        assertThat(heard.ends).isEmpty();
    }

    private static ArrivedResult arrived(String instance, long offset) {
        ToolResult result = Results.ok(ToolCall.of("c", "t", Json.MAPPER.createObjectNode(), instance), offset);
        return new ArrivedResult(0, offset, Results.identity(result, 0), result);
    }

    private static final class Heard implements ResultListener {
        private final List<Long> offsets = new ArrayList<>();
        private final List<ToolFleetClientException.Reason> ends = new ArrayList<>();

        @Override
        public void onResult(ToolResult result) {
            offsets.add(result.callOffset());
        }

        @Override
        public void onEnd(ToolFleetClientException reason) {
            ends.add(reason.reason());
        }
    }
}
