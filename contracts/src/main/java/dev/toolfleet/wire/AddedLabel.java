package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A label and the call whose result added it to an agent instance.
///
/// @param label the label's name, such as [InstanceLabel#UNTRUSTED]
/// @param toolName the call's tool
/// @param toolCallId the model's id of the call
/// @param callOffset the call's offset on `tool.call`
/// @param instanceKey the instance that made the call
public record AddedLabel(String label, String toolName, String toolCallId, long callOffset, String instanceKey) {
    /// Checks that label and call are named.
    public AddedLabel {
        requireNonNull(label, "label");
        requireNonNull(toolName, "toolName");
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(instanceKey, "instanceKey");
        if (!InstanceLabel.isName(label))
            throw new IllegalArgumentException("the label is '" + label + "'; it must be " + InstanceLabel.FORM);
    }
}
