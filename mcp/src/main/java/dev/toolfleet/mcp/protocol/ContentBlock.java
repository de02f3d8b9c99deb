package dev.toolfleet.mcp.protocol;

import java.util.Base64;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Block of a tool's result.
public sealed interface ContentBlock {
    /// Returns the block as it came.
    ObjectNode json();

    /// Text.
    record Text(String text, ObjectNode json) implements ContentBlock {}

    /// Bytes: an image, a sound, or a resource that is embedded.
    ///
    /// @param mimeType its media type; `application/octet-stream` if the block names none
    /// @param base64 the bytes, as they came
    /// @param uri the address of an embedded resource; null for others
    record Binary(String mimeType, String base64, @Nullable String uri, ObjectNode json) implements ContentBlock {
        /// Returns the bytes, or nothing if they are not base64.
        public Optional<byte[]> bytes() {
            try {
                return Optional.of(Base64.getMimeDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    /// Address of a resource.
    record Link(String uri, @Nullable String mimeType, ObjectNode json) implements ContentBlock {}

    /// Text of an embedded resource.
    record Document(String uri, @Nullable String mimeType, String text, ObjectNode json) implements ContentBlock {}

    /// Block of a kind that is not known here, or without the fields of its kind.
    record Other(ObjectNode json) implements ContentBlock {}

    /// Finds the kind of a block.
    static ContentBlock of(ObjectNode json) {
        return switch (json.path("type").stringValue("")) {
            case "text" -> json.path("text").isString()
                    ? new Text(json.path("text").stringValue(), json)
                    : new Other(json);
            case "image", "audio" -> json.path("data").isString()
                    ? new Binary(json.path("mimeType").stringValue("application/octet-stream"),
                            json.path("data").stringValue(), null, json)
                    : new Other(json);
            case "resource_link" -> json.path("uri").isString()
                    ? new Link(json.path("uri").stringValue(), json.path("mimeType").stringValue(null), json)
                    : new Other(json);
            case "resource" -> embedded(json.path("resource"), json);
            default -> new Other(json);
        };
    }

    private static ContentBlock embedded(JsonNode resource, ObjectNode json) {
        String uri = resource.path("uri").stringValue(null);
        String mimeType = resource.path("mimeType").stringValue(null);
        if (uri != null && resource.path("text").isString())
            return new Document(uri, mimeType, resource.path("text").stringValue(), json);
        if (uri != null && resource.path("blob").isString()) {
            return new Binary(mimeType == null ? "application/octet-stream" : mimeType,
                    resource.path("blob").stringValue(), uri, json);
        }
        return new Other(json);
    }
}
