package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.InstanceLabel;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One function of a Tool.
///
/// @param description empty when there is none
/// @param parameters the JSON Schema of its arguments, exactly as declared; must not be changed
/// @param output the `outputSchema` of an export that declares `validateOutput`; empty when its output is not checked
/// @param auth its access on behalf of a person; empty for none
public record ToolExport(String name, String description, ObjectNode parameters, Optional<ValueSchema> output,
        ToolAnnotations annotations, ExportPolicy policy, ExportExecution execution, Optional<ToolAuth> auth) {
    /// @param ofTool the access of its Tool
    static ToolExport of(ResourceJson json, Optional<ToolAuth> ofTool) {
        ResourceJson parameters = json.get("parameters");
        return new ToolExport(json.get("name").text(), json.get("description").text(""),
                parameters.present() ? parameters.object() : anyArguments(),
                output(json), ToolAnnotations.of(json.get("annotations")), ExportPolicy.of(json),
                ExportExecution.of(json), auth(json.get("auth"), ofTool));
    }

    /// Returns the labels that a result adds to the instance that called. A tool that is not at hand may have
    /// returned anything.
    ///
    /// @param export of the called tool; null when nothing declares it, or its code could not be loaded
    public static Set<String> addedBy(@Nullable ToolExport export) {
        return export == null ? Set.of(InstanceLabel.UNTRUSTED, InstanceLabel.SENSITIVE) : export.policy().adds();
    }

    /// A tool that an extension publishes names the app in its export.
    private static Optional<ToolAuth> auth(ResourceJson json, Optional<ToolAuth> ofTool) {
        return ofTool.isEmpty() && json.get("oauthAppRef").present()
                ? ToolAuth.of(json)
                : ofTool.map(auth -> auth.narrowed(json));
    }

    private static Optional<ValueSchema> output(ResourceJson json) {
        if (!json.get("validateOutput").flag())
            return Optional.empty();
        ResourceJson schema = json.get("outputSchema");
        if (!schema.present())
            throw schema.wrong("there, since validateOutput is true");
        return Optional.of(new ValueSchema(schema.object()));
    }

    private static ObjectNode anyArguments() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object").putObject("properties");
        return schema;
    }

    /// Policy attributes of an export.
    ///
    /// @param group the group whose defaults apply to it
    /// @param requiresApproval true if each call requires approval
    /// @param isTransactional true if it moves money or goods: it then needs a grant, whatever else allows it
    /// @param accessesSensitiveData true if its audit and error events are marked sensitive
    /// @param adds the labels that its results add to the instance that called
    /// @param sends true if a call can carry data out of the fleet
    /// @param cost the amount that a call spends of budgets of cost
    public record ExportPolicy(Optional<String> group, boolean requiresApproval, boolean isTransactional,
            boolean accessesSensitiveData, Set<String> adds, boolean sends, int cost) {
        /// The most that a call may cost.
        public static final int MAX_COST = 1_000_000;

        /// Copies the labels.
        public ExportPolicy {
            adds = Set.copyOf(adds);
        }

        static ExportPolicy of(ResourceJson json) {
            return new ExportPolicy(json.get("group").optionalText(), json.get("requiresApproval").flag(),
                    json.get("isTransactional").flag(), json.get("accessesSensitiveData").flag(),
                    LabelNames.added(json),
                    json.get("sends").optionalFlag().orElse(json.get("annotations").get("openWorld").flag()),
                    costOf(json.get("cost")));
        }
    }

    private static int costOf(ResourceJson json) {
        int cost = json.whole(1);
        if (cost < 0 || cost > ExportPolicy.MAX_COST)
            throw json.wrong("a whole number from 0 to " + ExportPolicy.MAX_COST);
        return cost;
    }

    /// Execution settings of an export.
    ///
    /// @param timeout of one call; empty means the worker's default
    /// @param async present when the export declares that it may finish later
    /// @param limits of its use at a time
    /// @param retry of failed starts; empty means none
    /// @param mayRepeat true if the same call may end with the same result any number of times in a turn
    public record ExportExecution(Optional<Duration> timeout, Optional<AsyncSpec> async, ToolLimits limits,
            Optional<RetrySpec> retry, boolean mayRepeat) {
        static ExportExecution of(ResourceJson json) {
            ResourceJson async = json.get("async");
            ResourceJson retry = json.get("retry");
            boolean declared = async.node().isBoolean() ? async.flag() : async.present();
            return new ExportExecution(json.get("timeout").duration(),
                    declared ? Optional.of(AsyncSpec.of(async)) : Optional.empty(), ToolLimits.of(json.get("limits")),
                    retry.present() ? Optional.of(RetrySpec.of(retry)) : Optional.empty(),
                    json.get("mayRepeat").flag());
        }
    }
}
