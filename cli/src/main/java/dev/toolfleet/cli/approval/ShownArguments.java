package dev.toolfleet.cli.approval;

import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.json.ShownText;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Arguments of a call as a person sees them: those that the worker asks about, which stand in the pending output, with
/// its escapes read; else the call's own, without the values of fields that sound secret, and cut. Pure.
final class ShownArguments {
    static final String MASKED = ShownJson.MASKED;
    private static final int LONGEST = 200;

    private ShownArguments() {}

    static JsonNode of(PendingCall call) {
        JsonNode asked = asked(call);
        return asked == null ? ShownJson.masked(call.call().args(), LONGEST) : ShownText.read(asked);
    }

    /// False if the record does not say what would run.
    static boolean areAsked(PendingCall call) {
        return asked(call) != null;
    }

    private static @Nullable JsonNode asked(PendingCall call) {
        JsonNode asked = call.output() == null ? null : call.output().get("arguments");
        return asked == null || asked.isNull() ? null : asked;
    }
}
