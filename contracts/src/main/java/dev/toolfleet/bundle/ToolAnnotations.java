package dev.toolfleet.bundle;

/// What an export promises about its effects; MCP's hints, and absent means no promise.
///
/// @param readOnly changes nothing: may run again after a crash and beside other read-only calls of its instance
/// @param idempotent running it twice does no more than running it once: may run again after a crash
/// @param destructive may destroy what was there
/// @param openWorld reaches beyond the fleet, so its output is not to be trusted
public record ToolAnnotations(boolean readOnly, boolean idempotent, boolean destructive, boolean openWorld) {
    /// Nothing was declared.
    public static final ToolAnnotations NONE = new ToolAnnotations(false, false, false, false);

    /// Whether a call may run again after a crash without asking anyone.
    public boolean repeatable() {
        return readOnly || idempotent;
    }

    static ToolAnnotations of(ResourceJson json) {
        return new ToolAnnotations(json.get("readOnly").flag(), json.get("idempotent").flag(),
                json.get("destructive").flag(), json.get("openWorld").flag());
    }
}
