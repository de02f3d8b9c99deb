package dev.toolfleet.client.approval;

import java.util.List;

import dev.toolfleet.json.ShownText;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.BoundOperand;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Arguments of a call as a person sees them: those of the worker's question, which stand in the pending output, with
/// its escapes read; else the call's own, without the values of fields that sound secret, and cut. Pure.
final class ShownArguments {
    private static final int LONGEST = 200;

    private ShownArguments() {}

    static JsonNode of(PendingCall call) {
        JsonNode asked = asked(call);
        return asked == null ? MaskedJson.of(call.call().args(), ShownArguments::shortened) : ShownText.read(asked);
    }

    /// False if the record does not say what would run.
    static boolean areAsked(PendingCall call) {
        return asked(call) != null;
    }

    /// Files to which the approval is bound, by the record, each with the text that the worker shows of it.
    static ArrayNode operands(PendingCall call) {
        ArrayNode shown = JsonNodeFactory.instance.arrayNode();
        Approval approval = call.approval();
        List<BoundOperand> bound = approval == null || approval.operands() == null ? List.of() : approval.operands();
        JsonNode texts = call.output() == null ? MissingNode.getInstance() : call.output().path("operands");
        for (int i = 0; i < bound.size(); i++) {
            BoundOperand each = bound.get(i);
            ObjectNode file = shown.addObject().put("name", each.name()).put("size", each.size()).put("digest",
                    each.digest());
            JsonNode text = texts.path(i).path("text");
            if (text.isString())
                file.put("text", ShownText.read(text.stringValue()));
        }
        return shown;
    }

    private static String shortened(String text) {
        int length = text.codePointCount(0, text.length());
        return length <= LONGEST ? text : text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }

    private static @Nullable JsonNode asked(PendingCall call) {
        JsonNode asked = call.output() == null ? null : call.output().get("arguments");
        return asked == null || asked.isNull() ? null : asked;
    }
}
