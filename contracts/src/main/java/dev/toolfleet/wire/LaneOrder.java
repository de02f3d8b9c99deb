package dev.toolfleet.wire;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import static java.util.Objects.requireNonNull;

/// An operator helps an instance past a call that its lane does not get over, on `tool.operator` by the instanceKey: a
/// topic that agent runtimes may not write. One on `tool.control`, where orders stood once, orders nothing. Like a
/// [CancelCall] it is state, not a signal: it holds for a day, also when the call is read again after a crash or by
/// the next owner of its partition.
///
/// It means one record of `tool.call` and no other, so that it never hits a later call to which a model gave the same
/// id. Its `order` tells it from a [CancelCall].
///
/// @param instanceKey whose lane
/// @param order what to do
/// @param partition the call's partition of `tool.call`
/// @param callOffset the call's offset there
/// @param by who says so
/// @param reason why
public record LaneOrder(String instanceKey, Order order, int partition, long callOffset, @Nullable String by,
        @Nullable String reason) {
    /// Checks that the order says what to do with which call.
    public LaneOrder {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(order, "order");
        if (partition < 0 || callOffset < 0)
            throw new IllegalArgumentException("'partition' and 'callOffset' are those of a record, not " + partition
                    + " and " + callOffset);
    }

    /// Whether the value of a record is one.
    public static boolean isOne(byte @Nullable [] value) {
        if (value == null)
            return false;
        try {
            return Json.MAPPER.readTree(value).hasNonNull("order");
        } catch (JacksonException e) {
            return false;
        }
    }

    /// What an operator can do.
    public enum Order {
        /// The lane goes on past the call, which runs on beside it.
        @JsonProperty("skip")
        SKIP,
        /// The call ends with an error, and the lane goes on.
        @JsonProperty("fail")
        FAIL;

        /// As it stands on the wire.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
