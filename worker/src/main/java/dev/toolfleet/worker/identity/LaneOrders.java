package dev.toolfleet.worker.identity;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// View of the orders that operators gave to lanes, on `tool.operator`.
///
/// **Contract.** Like a cancellation, an order is state, not a signal: it holds for as long as those, for a call that
/// is queued, running, or read again. Of several orders for one call, `fail` counts, else the first. At most [#MOST]
/// are kept; the oldest go first.
///
/// **Threads.** The follower's thread applies. Any thread reads, at the cost of one map look-up.
public final class LaneOrders implements TopicView {
    /// Most orders that are kept; people write them one by one.
    static final int MOST = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(LaneOrders.class);
    private static final WireCodec<LaneOrder> CODEC = WireCodec.of(LaneOrder.class);
    private static final int MAX_BY = 200;
    private static final int MAX_REASON = 500;

    private record Place(String instanceKey, int partition, long offset) {}

    private record Kept(LaneOrder order, long writtenAt) {}

    private final InstantSource clock;
    private final Map<Place, Kept> orders = new ConcurrentHashMap<>();
    /// All places in the order in which they came; for the follower's thread.
    private final Deque<Place> all = new ArrayDeque<>();
    private final List<Consumer<LaneOrder>> listeners = new CopyOnWriteArrayList<>();

    /// Creates an empty view.
    public LaneOrders(InstantSource clock) {
        this.clock = clock;
    }

    /// Adds a listener, which is called after an order can be found, on the follower's thread. It must not wait. Must
    /// come before the view is followed.
    public void tell(Consumer<LaneOrder> listener) {
        listeners.add(listener);
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        LaneOrder order = value == null ? null : read(partition, value);
        if (order == null)
            return;
        Place place = new Place(order.instanceKey(), order.partition(), order.callOffset());
        Kept now = new Kept(order, time);
        Kept before = orders.get(place);
        if (before == null)
            all.add(place);
        if (before == null || !holds(before) || (isFail(now) && !isFail(before)))
            orders.put(place, now);
        while (all.size() > MOST)
            orders.remove(all.removeFirst());
        listeners.forEach(listener -> listener.accept(order));
    }

    private static boolean isFail(Kept kept) {
        return kept.order().order() == LaneOrder.Order.FAIL;
    }

    private static @Nullable LaneOrder read(int partition, byte[] value) {
        try {
            LaneOrder order = CODEC.read(value);
            return new LaneOrder(order.instanceKey(), order.order(), order.partition(), order.callOffset(),
                    cut(order.by(), MAX_BY), cut(order.reason(), MAX_REASON));
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition)
                    .addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("operator record skipped: it is no valid order");
            return null;
        }
    }

    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null ? null : ErrorText.limit(text, length);
    }

    @Override
    public void forget(int partition) {
        // All partitions are followed as long as the worker lives.
    }

    /// Returns the order for the call of that instance at that place of `tool.call`; null if there is none.
    public @Nullable LaneOrder of(String instanceKey, Position at) {
        if (orders.isEmpty())
            return null;
        Kept kept = orders.get(new Place(instanceKey, at.partition(), at.offset()));
        return kept != null && holds(kept) ? kept.order() : null;
    }

    private boolean holds(Kept kept) {
        return kept.writtenAt() >= clock.millis() - Cancellations.KEPT.toMillis();
    }

    /// True if the lane goes on past that call.
    public boolean skips(String instanceKey, Position at) {
        LaneOrder order = of(instanceKey, at);
        return order != null && order.order() == LaneOrder.Order.SKIP;
    }

    /// Returns the order to end that call; null if there is none.
    public @Nullable LaneOrder fails(String instanceKey, Position at) {
        LaneOrder order = of(instanceKey, at);
        return order != null && order.order() == LaneOrder.Order.FAIL ? order : null;
    }
}
