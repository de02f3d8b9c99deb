package dev.toolfleet.worker.bridge;

import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.json.Digests;

/// Names of a server's tools in the fleet: `server__tool`. A name that no model can call, such as one with a dot, keeps
/// its allowed characters and ends in 12 digits of its SHA-256. The result depends on the names alone. Pure.
final class ToolNames {
    private static final int DIGITS = 12;

    private ToolNames() {}

    static String of(String server, String tool) {
        String full = server + "__" + tool;
        if (full.length() <= ToolName.PROVIDER_LIMIT && ToolName.parse(full).isPresent())
            return full;
        String digits = Digests.sha256(tool).substring("sha256:".length()).substring(0, DIGITS);
        int room = ToolName.PROVIDER_LIMIT - (server + "__").length() - DIGITS - 1;
        String allowed = tool.replaceAll("[^A-Za-z0-9-]+", "_").replaceAll("^_+", "");
        String kept = allowed.substring(0, Math.min(room, allowed.length())).replaceAll("_+$", "");
        return server + "__" + (kept.isEmpty() ? digits : kept + "_" + digits);
    }
}
