package dev.toolfleet.cli.approval;

import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.JsonNode;

/// What a person sees of a call's arguments: what the worker's guard left of them, which stands in the pending output;
/// else the call's own, without the values of fields that sound secret, and cut. Pure.
final class ShownArguments {
    static final String MASKED = ShownJson.MASKED;
    private static final int LONGEST = 200;

    private ShownArguments() {}

    static JsonNode of(PendingCall call) {
        JsonNode guarded = call.output() == null ? null : call.output().get("arguments");
        return guarded == null || guarded.isNull() ? ShownJson.masked(call.call().args(), LONGEST) : guarded;
    }
}
