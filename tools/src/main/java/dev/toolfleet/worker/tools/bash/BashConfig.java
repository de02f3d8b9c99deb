package dev.toolfleet.worker.tools.bash;

import java.util.Set;

import dev.toolfleet.worker.tools.args.ToolConfig;
import tools.jackson.databind.node.ObjectNode;

/// Settings of the tool, from its `spec.config`.
///
/// @param maxOutputBytes how many bytes stdout, and stderr, take at most in a result, as JSON: two full ones fit it
/// @param allowOutsideWorkdir whether `cwd` and `path` may lie outside the workdir
/// @param inheritEnv variables of the worker that commands see beside the usual ones
record BashConfig(int maxOutputBytes, boolean allowOutsideWorkdir, Set<String> inheritEnv) {
    static final BashConfig DEFAULT = new BashConfig(1_000_000, false, Set.of());

    static BashConfig of(ObjectNode json) {
        ToolConfig config = new ToolConfig("bash", json,
                Set.of("maxOutputBytes", "allowOutsideWorkdir", "inheritEnv"));
        return new BashConfig(config.positive("maxOutputBytes", DEFAULT.maxOutputBytes),
                config.flag("allowOutsideWorkdir"), Set.copyOf(config.texts("inheritEnv")));
    }
}
