package dev.toolfleet.gateway.access;

import java.util.List;
import java.util.Locale;

/// Resource for which tokens are issued (RFC 8707). A token for a part of it, such as `ROOT/mcp/agents/coder`, is good for
/// requests of that path and of those below it.
///
/// @param root the resource identifier of the whole gateway
record Audience(String root) {
    /// True if one of a token's audiences permits a request.
    ///
    /// @param path of the request as it came
    boolean permits(List<String> audiences, String path) {
        return audiences.stream().anyMatch(each -> each.equals(root) || permits(each, path));
    }

    private boolean permits(String audience, String path) {
        String part = audience.startsWith(root + "/") ? audience.substring(root.length()) : "";
        return !part.isEmpty() && !isCrooked(path) && (path.equals(part)
                || path.startsWith(part.endsWith("/") ? part : part + "/"));
    }

    /// True for a path that may lead elsewhere than its first segments say.
    private static boolean isCrooked(String path) {
        String lower = path.toLowerCase(Locale.ROOT).replace("%2e", ".");
        return lower.contains("/./") || lower.contains("/../") || lower.endsWith("/.") || lower.endsWith("/..")
                || lower.contains("//") || lower.contains(";");
    }
}
