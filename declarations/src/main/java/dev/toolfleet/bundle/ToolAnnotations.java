package dev.toolfleet.bundle;

/// Promises of an export about its effects. They are MCP's hints; an absent one means no promise.
///
/// @param readOnly changes nothing: may run again after a crash and beside other read-only calls of its instance
/// @param idempotent a second run changes nothing more: may run again after a crash
/// @param destructive may destroy existing data
/// @param openWorld reaches beyond the fleet, so its output is not trusted
public record ToolAnnotations(boolean readOnly, boolean idempotent, boolean destructive, boolean openWorld) {
    /// Nothing was declared.
    public static final ToolAnnotations NONE = new ToolAnnotations(false, false, false, false);

    /// True if a call may run again after a crash without a check.
    public boolean repeatable() {
        return readOnly || idempotent;
    }

    static ToolAnnotations of(ResourceJson json) {
        return new ToolAnnotations(json.get("readOnly").flag(), json.get("idempotent").flag(),
                json.get("destructive").flag(), json.get("openWorld").flag());
    }
}
