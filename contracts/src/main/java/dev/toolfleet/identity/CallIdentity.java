package dev.toolfleet.identity;

import dev.toolfleet.json.CanonicalText;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Identity of the call that a record requests. Models repeat their ids (`call_0` in every response), so an id alone
/// identifies nothing: instance, agent, turn and step belong to it. An idempotency key stands for turn, step and id. A
/// call without a key, and without turn or step, is identified by its record alone.
///
/// **Why.** Identities of the four kinds differ: one by key has three parts, the last a text, one of a record has three, the last a
/// number, one of a resumed call has two, and one by turn, step and id has five.
///
/// @param text a JSON array of the parts; the key of `tool.journal`
public record CallIdentity(String text) {
    private static final String RECORD = "[\"@record\",";

    /// Returns the identity of a call that was read at `partition` and `offset`.
    public static CallIdentity of(ToolCall call, int partition, long offset) {
        if (call.idempotencyKey() != null)
            return new CallIdentity(array(call.instanceKey(), call.agentName(), call.idempotencyKey()));
        String turn = call.turnId();
        String step = call.stepId();
        if (turn == null || step == null) {
            return ofRecord(partition, offset);
        }
        return new CallIdentity(array(call.instanceKey(), call.agentName(), turn, step, call.id()));
    }

    /// True if the call names itself, so that another record can request it again.
    public static boolean isNamed(ToolCall call) {
        return call.idempotencyKey() != null || (call.turnId() != null && call.stepId() != null);
    }

    /// Returns the identity of a record that is identified by its place.
    public static CallIdentity ofRecord(int partition, long offset) {
        return new CallIdentity(RECORD + partition + "," + offset + "]");
    }

    /// True if it is that of a record: then no other record can request the same call.
    public boolean isOfRecord() {
        return isOfRecord(text);
    }

    /// True if `identity` is the text of a record's identity. In the identity of an instance with the same name, a text
    /// or null follows.
    public static boolean isOfRecord(String identity) {
        return identity.startsWith(RECORD) && identity.length() > RECORD.length()
                && Character.isDigit(identity.charAt(RECORD.length()));
    }

    /// Returns the identity of this call resumed by an approval: a different one, used once.
    public CallIdentity resumedBy(String grantHandle) {
        return new CallIdentity(array(text, grantHandle));
    }

    private static String array(@Nullable String... parts) {
        CanonicalText array = new CanonicalText(192);
        String before = "[";
        for (String part : parts) {
            array.raw(before);
            if (part == null)
                array.raw("null");
            else
                array.string(part);
            before = ",";
        }
        return array.raw("]").text();
    }
}
