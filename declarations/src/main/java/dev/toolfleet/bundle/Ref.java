package dev.toolfleet.bundle;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A reference to a resource: `Tool/bash`, `{kind, name, package?}`, or either of them under `ref:`.
///
/// @param packageName the package that the object form names; null means the bundle that holds the reference, then the
/// built-in bundle
public record Ref(String kind, String name, @Nullable String packageName) implements ParsedRef {

    /// Reads any of the forms.
    public static ParsedRef parse(JsonNode node) {
        if (node.isString()) {
            return text(node.stringValue());
        }
        if (!node.isObject()) {
            return new Malformed("write it as Kind/name, as {kind, name, package}, or as ref: with one of these");
        }
        if (node.has("ref")) {
            JsonNode ref = node.path("ref");
            return ref.path("ref").isMissingNode() ? parse(ref) : new Malformed("ref: must not hold another ref:");
        }
        if (node.has("selector")) {
            return new Malformed("selectors are not supported; list the resources themselves with ref:");
        }
        return object(node);
    }

    /// Returns the package that it names.
    public Optional<String> inPackage() {
        return Optional.ofNullable(packageName);
    }

    /// `Kind/name`, and the package where it names one.
    @Override
    public String toString() {
        return kind + "/" + name + (packageName == null ? "" : " of " + packageName);
    }

    private static ParsedRef text(String text) {
        int slash = text.indexOf('/');
        if (text.startsWith("@")) {
            return new Malformed("'" + text + "' cannot name a package; write {kind, name, package}");
        }
        if (slash < 0 || text.indexOf('/', slash + 1) >= 0) {
            return new Malformed("'" + text + "' must hold exactly one slash, as in Tool/bash");
        }
        String kind = text.substring(0, slash).strip();
        String name = text.substring(slash + 1).strip();
        if (kind.isEmpty() || name.isEmpty()) {
            return new Malformed("'" + text + "' must have a kind before the slash and a name after it");
        }
        return new Ref(kind, name, null);
    }

    private static ParsedRef object(JsonNode node) {
        String kind = node.path("kind").stringValue("").strip();
        String name = node.path("name").stringValue("").strip();
        if (kind.isEmpty() || name.isEmpty()) {
            return new Malformed("the object form needs the strings kind and name");
        }
        JsonNode in = node.path("package");
        if (in.isMissingNode() || in.isNull()) {
            return new Ref(kind, name, null);
        }
        if (in.stringValue("").isBlank()) {
            return new Malformed("package must be a package's name, such as \"@goondan/base\"");
        }
        return new Ref(kind, name, in.stringValue("").strip());
    }
}
