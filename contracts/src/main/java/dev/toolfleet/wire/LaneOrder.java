package dev.toolfleet.wire;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import static java.util.Objects.requireNonNull;

/// Operator's order to a lane, to pass a call that blocks it; on `tool.operator` by the instanceKey, a topic that agent
/// runtimes may not write. Orders on `tool.control`, their former topic, have no effect.
///
/// Like a [CancelCall] it is state, not a signal: it holds for a day, also when the call is read again after a crash or
/// by the next owner of its partition.
///
/// It applies to one record of `tool.call` only, so that it never hits a later call with the same model id. Its `order`
/// distinguishes it from a [CancelCall].
///
/// @param instanceKey the instance of the lane
/// @param order the action
/// @param partition the call's partition of `tool.call`
/// @param callOffset the call's offset there
/// @param by the operator
/// @param reason the reason
public record LaneOrder(String instanceKey, Order order, int partition, long callOffset, @Nullable String by,
        @Nullable String reason) {
    /// Checks that the order names an action and a call.
    public LaneOrder {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(order, "order");
        if (partition < 0 || callOffset < 0)
            throw new IllegalArgumentException("'partition' and 'callOffset' are those of a record, not " + partition
                    + " and " + callOffset);
    }

    /// True if the value of a record is an order.
    public static boolean isOne(byte @Nullable [] value) {
        if (value == null)
            return false;
        try {
            return Json.MAPPER.readTree(value).hasNonNull("order");
        } catch (JacksonException e) {
            return false;
        }
    }

    /// Action of an operator on a lane.
    public enum Order {
        /// The lane continues past the call, which runs on beside it.
        @JsonProperty("skip")
        SKIP,
        /// The call ends with an error, and the lane continues.
        @JsonProperty("fail")
        FAIL;

        /// Returns its text on the wire.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
