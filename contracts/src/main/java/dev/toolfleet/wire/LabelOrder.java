package dev.toolfleet.wire;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import static java.util.Objects.requireNonNull;

/// Operator's order to clear labels of an instance, on `tool.operator` by the instanceKey.
///
/// Like a [LaneOrder] it is state: it holds for [#HOLDS], for every owner of the instance's partition. The owner notes it on
/// the journal with the next result of the instance. A label of a result that came after the ones that the operator saw stays.
///
/// @param instanceKey the instance
/// @param order always [#CLEAR]
/// @param upTo the largest count of [InstanceLabel#count()] that is cleared
/// @param labels the labels; absent for all
/// @param by the operator
/// @param reason the reason
public record LabelOrder(String instanceKey, String order, long upTo, @Nullable List<String> labels,
        @Nullable String by, @Nullable String reason) {
    /// Value of `order`.
    public static final String CLEAR = "clear-labels";
    /// Time for which an order holds, from its record's time. The topic keeps it for a day, and may be a little late.
    public static final Duration HOLDS = Duration.ofDays(1).plusHours(1);

    /// Checks that the order names an instance.
    public LabelOrder {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(order, "order");
        if (upTo < 0)
            throw new IllegalArgumentException("upTo must not be negative, got " + upTo);
        if (labels != null)
            labels = List.copyOf(labels);
    }

    /// True if the value of a record is such an order.
    public static boolean isOne(byte @Nullable [] value) {
        if (value == null)
            return false;
        try {
            return Json.MAPPER.readTree(value).path("order").asString("").equals(CLEAR);
        } catch (JacksonException e) {
            return false;
        }
    }

    /// True if it clears that label.
    public boolean clears(InstanceLabel label) {
        return label.instanceKey().equals(instanceKey) && clears(label.added().label(), label.count());
    }

    /// True if it clears that label of its instance.
    ///
    /// @param count of [InstanceLabel#count()]
    public boolean clears(String label, long count) {
        return count <= upTo && names(label);
    }

    /// True if it is about that label of its instance.
    public boolean names(String label) {
        return labels == null || labels.contains(label);
    }
}
