package dev.toolfleet.bundle.check;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Kinds;

/// Contents of `@goondan/base`. With them, bundles written for it validate although the fleet does not have all of it.
final class GoondanBase {
    private static final Map<String, Set<String>> NAMES = Map.of(Kinds.TOOL,
            Set.of("bash", "wait", "file-system", "agents", "self-restart", "telegram", "slack", "http-fetch",
                    "json-query", "text-transform"),
            Kinds.EXTENSION,
            extensions(),
            "Connector", Set.of("cli", "webhook", "telegram-polling", "slack", "discord", "github"));

    private GoondanBase() {}

    private static Set<String> extensions() {
        Set<String> names = new HashSet<>(BuiltIns.RUNTIME_EXTENSIONS);
        names.addAll(Set.of("logging", "tool-search"));
        return Set.copyOf(names);
    }

    static boolean has(String kind, String name) {
        return NAMES.getOrDefault(kind, Set.of()).contains(name);
    }
}
