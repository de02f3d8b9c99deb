package dev.toolfleet.cli.script;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.script.ScriptAct.Target;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCompletion;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the lines of a script that are no calls. A bare `toolCallId` names the nearest call before the line; with
/// `instanceKey`, `stepId`, `agentName` or `turnId` the nearest one of those. Pure.
final class ActReader {
    private static final long MAX_AFTER_MS = Duration.ofDays(1).toMillis();
    private static final String SENT = "sent";
    private static final String PENDING = "pending";

    /// Reports what is wrong with the line.
    static final class Refused extends Exception {
        Refused(String problem) {
            super(problem);
        }
    }

    private ActReader() {}

    /// @param before the calls that stand before the line, in their order
    static ScriptAct.Complete completion(int line, ObjectNode object, List<ScriptCall> before) throws Refused {
        Target target = target(object, before);
        ObjectNode plain = object.deepCopy();
        plain.put("handle", target instanceof Target.OfHandle(String handle) ? handle : "unknown yet");
        // As short as people write them.
        if (plain.path("error").isString())
            plain.putObject("error").put("message", object.path("error").stringValue());
        if (plain.path("error") instanceof ObjectNode error && error.path("code").isMissingNode())
            error.put("code", ErrorCode.E_TOOL.name());
        if (plain.path("progress").isNumber())
            plain.putObject("progress").set("percent", object.path("progress"));
        return switch (CompletionDecoder.decode(Json.MAPPER.writeValueAsBytes(plain))) {
            case DecodedCompletion.Malformed malformed -> throw new Refused(malformed.reason());
            case DecodedCompletion.Valid valid -> new ScriptAct.Complete(line, target, valid.completion());
        };
    }

    /// @param before the calls that stand before the line, in their order
    static ScriptAct.Cancel cancel(int line, ObjectNode object, List<ScriptCall> before) throws Refused {
        JsonNode after = object.path("afterMs");
        if (!after.isMissingNode()
                && (!after.isIntegralNumber() || after.longValue() < 0 || after.longValue() > MAX_AFTER_MS)) {
            throw new Refused("'afterMs' is " + after + "; it is a whole number of milliseconds, at most a day");
        }
        JsonNode when = object.path("when");
        if (!when.isMissingNode() && !SENT.equals(when.asString("")) && !PENDING.equals(when.asString("")))
            throw new Refused("'when' is " + when + "; it is \"" + SENT + "\" or \"" + PENDING + "\"");
        if (SENT.equals(when.asString("")) && text(object, "handle") != null)
            throw new Refused("'when' is \"" + SENT + "\", but a call has its 'handle' only once it is pending");
        boolean wholeStep = text(object, "toolCallId") == null && text(object, "handle") == null
                && text(object, "stepId") != null;
        return new ScriptAct.Cancel(line,
                wholeStep ? new Target.OfCall(nearest(object, before)) : target(object, before), wholeStep,
                PENDING.equals(when.asString("")), Duration.ofMillis(after.longValue(0)), text(object, "reason"));
    }

    /// @param before the calls that stand before the line, in their order
    static ScriptAct.Decide decision(int line, ObjectNode object, List<ScriptCall> before) throws Refused {
        Target target = target(object, before);
        Decision.Verdict verdict = switch (object.path("decision").asString("")) {
            case "approve" -> Decision.Verdict.APPROVE;
            case "reject" -> Decision.Verdict.REJECT;
            default -> throw new Refused(object.path("decision").isMissingNode()
                    ? "'decision' is missing; it is \"approve\" or \"reject\""
                    : "'decision' is " + object.path("decision") + "; it is \"approve\" or \"reject\"");
        };
        String by = words(object, "by", Decision.MAX_BY);
        JsonNode despite = object.path("despiteHidden");
        if (!despite.isMissingNode() && !despite.isBoolean())
            throw new Refused("'despiteHidden' is " + despite + "; it is true or false");
        Decision decision = new Decision("unknown yet", verdict, by == null ? "script" : by,
                words(object, "reason", Decision.MAX_REASON));
        return new ScriptAct.Decide(line, target, despite.booleanValue(false) ? decision.evenIfHidden() : decision);
    }

    private static @Nullable String words(ObjectNode object, String field, int most) throws Refused {
        JsonNode value = object.path(field);
        if (value.isMissingNode() || value.isNull())
            return null;
        if (!value.isString() || value.stringValue().isBlank())
            throw new Refused("'" + field + "' is " + value + "; it is a text");
        if (value.stringValue().length() > most) {
            throw new Refused("'" + field + "' has " + value.stringValue().length() + " characters; at most " + most
                    + " are kept");
        }
        return value.stringValue();
    }

    private static Target target(ObjectNode object, List<ScriptCall> before) throws Refused {
        String handle = text(object, "handle");
        boolean named = text(object, "toolCallId") != null;
        if (handle != null && named)
            throw new Refused("'toolCallId' and 'handle' exclude each other");
        if (handle != null)
            return new Target.OfHandle(handle);
        if (!named)
            throw new Refused("'toolCallId' or 'handle' is missing: which call is meant?");
        return new Target.OfCall(nearest(object, before));
    }

    private static ScriptCall nearest(ObjectNode object, List<ScriptCall> before) throws Refused {
        Optional<ScriptCall> found = before.reversed().stream().filter(call -> fits(object, "toolCallId",
                call.call().id()) && fits(object, "instanceKey", call.call().instanceKey())
                && fits(object, "stepId", call.call().stepId()) && fits(object, "agentName", call.call().agentName())
                && fits(object, "turnId", call.call().turnId())).findFirst();
        if (found.isPresent())
            return found.get();
        StringBuilder asked = new StringBuilder();
        for (String field : List.of("toolCallId", "instanceKey", "stepId", "agentName", "turnId")) {
            String value = text(object, field);
            if (value != null)
                asked.append(asked.isEmpty() ? "" : ", ").append(field).append(" '").append(value).append('\'');
        }
        throw new Refused("no call before this line has " + asked);
    }

    private static boolean fits(ObjectNode object, String field, @Nullable String actual) {
        String wanted = text(object, field);
        return wanted == null || wanted.equals(actual);
    }

    private static @Nullable String text(ObjectNode object, String field) {
        JsonNode value = object.path(field);
        return value.isMissingNode() || value.isNull() ? null : value.asString(value.toString());
    }
}
