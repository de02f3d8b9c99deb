package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.console.web.Form;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.gateway.rest.Stages;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Trial of a tool: a call with arguments that a person types, in an instance of that person's own. It passes the same
/// catalog, policy and limits as every other call.
///
/// @param fleet writes steps and calls
record ToolTrial(FleetWriter fleet) {
    private static final Duration CATALOG = Duration.ofSeconds(20);
    private static final int MAX_VALUE = 200_000;
    private static final String PREFIX = "arg.";

    /// Input of a form, from a property of a tool's schema.
    ///
    /// @param kind `text`, `number`, `flag`, `choice`, or `json` for everything else
    /// @param choices of a `choice`
    record Input(String name, String kind, String description, boolean required, List<String> choices, String value) {
        String field() {
            return PREFIX + name;
        }
    }

    /// Returns the inputs of a schema's properties.
    static List<Input> inputs(ObjectNode schema) {
        List<Input> inputs = new ArrayList<>();
        List<String> required = schema.path("required").valueStream().map(one -> one.asString("")).toList();
        schema.path("properties").properties().forEach(property -> {
            JsonNode own = property.getValue();
            List<String> choices = own.path("enum").valueStream().filter(JsonNode::isString).map(JsonNode::stringValue)
                    .toList();
            JsonNode usual = own.path("default");
            inputs.add(new Input(property.getKey(), choices.isEmpty() ? kind(own.path("type").asString("")) : "choice",
                    own.path("description").asString(""), required.contains(property.getKey()), choices,
                    usual.isMissingNode() ? "" : usual.isString() ? usual.stringValue() : usual.toString()));
        });
        return inputs;
    }

    private static String kind(String type) {
        return switch (type) {
            case "string" -> "text";
            case "integer", "number" -> "number";
            case "boolean" -> "flag";
            default -> "json";
        };
    }

    /// Returns the instance of a person's trials.
    static String instance(Visit visit) {
        return "console-" + visit.author();
    }

    /// Calls the tool.
    ///
    /// @return the id of the call
    /// @throws IllegalArgumentException when a value cannot be read; nothing was called then
    /// @throws ProblemException when the call cannot be sent
    CallId call(Context ctx, Visit visit, String agent, ToolCatalogItem item) {
        String instance = instance(visit);
        visit.principal().checkUse(instance, agent);
        ObjectNode arguments = arguments(Form.of(ctx), item.parameters());
        String step = "try-" + UUID.randomUUID();
        String user = visit.principal().userId().orElse(null);
        String channel = visit.principal().channelId().orElse(null);
        try {
            if (Stages.within(fleet.beginStep(new StepStarted(instance, agent, "console", step, null, user, channel,
                    null)), CATALOG) == null)
                throw later("no catalog was published for the step in time; see that a catalog service runs");
        } catch (ToolFleetClientException e) {
            throw later("the step was not sent");
        }
        ToolCall call = new ToolCall(step, item.name(), arguments, instance, agent, "console", step, null, null, user,
                channel, null, null, null, null, null, null);
        SentCall sent = Stages.sent(fleet.call(call, Duration.ZERO, null, null).sent(), "the call");
        return new CallId(sent.partition(), sent.offset());
    }

    private static ProblemException later(String reason) {
        return new ProblemException(Problem.notReady("The tool was not called: " + reason + ".", List.of()));
    }

    /// Returns the arguments of a form; a field without a value is left out.
    ///
    /// @throws IllegalArgumentException naming the field whose value cannot be read
    static ObjectNode arguments(Form form, ObjectNode schema) {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        for (Input input : inputs(schema)) {
            String text = form.get(input.field());
            if (text != null && text.length() > MAX_VALUE)
                throw new IllegalArgumentException("'" + input.name() + "' has " + text.length()
                        + " characters; the form accepts " + MAX_VALUE + ".");
            JsonNode value = value(input, text);
            if (value != null)
                arguments.set(input.name(), value);
        }
        return arguments;
    }

    private static @Nullable JsonNode value(Input input, @Nullable String text) {
        if (text == null || (text.isBlank() && !(input.required() && input.kind().equals("text"))))
            return null;
        if (input.kind().equals("text") || input.kind().equals("choice"))
            return Json.MAPPER.getNodeFactory().stringNode(text);
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("'" + input.name() + "' is no JSON: " + e.getOriginalMessage()
                    + ". Nothing was called.");
        }
    }
}
