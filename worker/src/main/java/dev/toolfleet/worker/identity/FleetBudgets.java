package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/// View of `tool.budget`: the amounts that each partition of `tool.call` has spent of budgets of agents and users
/// (`docs/budgets.md`). About 400 bytes for each budget, owner, day and partition.
///
/// **Threads.** The follower's thread applies. Any thread reads and waits for nothing. A total and the amounts that it
/// takes up change in one step. Otherwise: a call meets both, counts them twice and is refused what is left.
public final class FleetBudgets implements TopicView {
    private static final Logger LOG = LoggerFactory.getLogger(FleetBudgets.class);
    private static final WireCodec<PublishedBudget> CODEC = WireCodec.of(PublishedBudget.class);

    /// By total, then by partition.
    private final Map<BudgetPlace, Map<Integer, Amount>> amounts = new ConcurrentHashMap<>();

    /// Creates an empty view.
    public FleetBudgets() {}

    /// Amount of one partition. Immutable.
    ///
    /// @param total null for none
    /// @param beside amounts that are not in the total yet, by the digest of their call
    private record Amount(@Nullable Long total, Map<String, Long> beside) {
        static final Amount NOTHING = new Amount(null, Map.of());

        Amount with(SpentBudget spent, List<String> taken) {
            String call = spent.call();
            Map<String, Long> now = new HashMap<>(beside);
            now.keySet().removeAll(taken);
            if (call != null)
                now.put(call, spent.amount());
            return new Amount(call == null ? Long.valueOf(spent.amount()) : total, Map.copyOf(now));
        }

        @Nullable
        Amount without(@Nullable String call) {
            Map<String, Long> now = new HashMap<>(beside);
            if (call != null)
                now.remove(call);
            Long left = call == null ? null : total;
            return left == null && now.isEmpty() ? null : new Amount(left, Map.copyOf(now));
        }

        long spent() {
            return (total == null ? 0 : total) + beside.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null) {
            BudgetPlace.InPartition.of(key).ifPresent(this::remove);
            return;
        }
        try {
            String kind = Json.MAPPER.readTree(value).path("kind").asString("");
            if (kind.equals(PublishedBudget.KIND))
                add(CODEC.read(value));
            else
                LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition)
                        .log("record of tool.budget skipped: its kind is none that this version knows");
        } catch (WireFormatException | JacksonException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("record of tool.budget skipped: it is no valid amount");
        }
    }

    private void add(PublishedBudget published) {
        SpentBudget spent = published.spent();
        List<String> taken = published.taken();
        amounts.computeIfAbsent(spent.place().total(), _ -> new ConcurrentHashMap<>(2)).merge(published.partition(),
                Amount.NOTHING.with(spent, List.of()),
                (known, _) -> known.with(spent, taken == null ? List.of() : taken));
    }

    private void remove(BudgetPlace.InPartition place) {
        amounts.computeIfPresent(place.budget().total(), (_, partitions) -> {
            partitions.computeIfPresent(place.partition(), (_, amount) -> amount.without(place.budget().call()));
            return partitions.isEmpty() ? null : partitions;
        });
    }

    @Override
    public void forget(int partition) {
        // It is followed as long as the process lives.
    }

    /// Returns what all partitions but these have spent.
    long spentOutside(Set<Integer> partitions, BudgetPlace total) {
        return amounts.getOrDefault(total, Map.of()).entrySet().stream()
                .filter(each -> !partitions.contains(each.getKey())).mapToLong(each -> each.getValue().spent()).sum();
    }

    /// Number of budgets with an owner and a day that have an amount.
    int size() {
        return amounts.size();
    }
}
