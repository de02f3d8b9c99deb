package dev.toolfleet.bundle.check;

import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.Kinds;

/// What `@goondan/base` publishes, so that bundles written for it validate although the fleet does not ship all of it.
final class GoondanBase {
    private static final Map<String, Set<String>> NAMES = Map.of(Kinds.TOOL,
            Set.of("bash", "wait", "file-system", "agents", "self-restart", "telegram", "slack", "http-fetch",
                    "json-query", "text-transform"),
            Kinds.EXTENSION,
            Set.of("logging", "message-compaction", "message-window", "tool-search", "context-message",
                    "required-tools-guard", "inter-agent-response-format"),
            "Connector", Set.of("cli", "webhook", "telegram-polling", "slack", "discord", "github"));

    private GoondanBase() {}

    static boolean has(String kind, String name) {
        return NAMES.getOrDefault(kind, Set.of()).contains(name);
    }
}
