package dev.toolfleet.bundle;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// View of an Agent for the fleet; its model belongs to the agent runtime.
///
/// @param tools in catalog order
/// @param extensions in order of registration
/// @param requiredTools full names of exports
/// @param changesets patterns of the files that it may change of its bundle; its Swarms decide whether it may
/// @param system the text of `spec.prompt.system`; absent when there is none, or it is no text
public record AgentSpec(String name, List<Ref> tools, List<ExtensionUse> extensions, List<String> requiredTools,
        ChangesetTerms changesets, @Nullable String system) {
    /// Reads a resource of kind `Agent`.
    ///
    /// @throws InvalidResourceException when it is no Agent, or a field has the wrong shape
    public static AgentSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.AGENT);
        return new AgentSpec(ResourceJson.name(resource), spec.get("tools").list(ResourceJson::ref),
                spec.get("extensions").list(ExtensionUse::of), spec.get("requiredTools").list(ResourceJson::text),
                ChangesetTerms.of(spec.get("changesets")),
                resource.at("/spec/prompt/system").asStringOpt().orElse(null));
    }
}
