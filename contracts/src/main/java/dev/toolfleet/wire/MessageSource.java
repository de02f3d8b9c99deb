package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Author of a [SessionMessage].
///
/// @param type the kind of author
/// @param stepId the step of a message of the model or of a tool, if known
/// @param toolCallId the answered call, of a tool
/// @param toolName the answered tool, of a tool
/// @param extensionName the extension that wrote it
public record MessageSource(Type type, @Nullable String stepId, @Nullable String toolCallId, @Nullable String toolName,
        @Nullable String extensionName) {
    /// Checks that the kind is present.
    public MessageSource {
        requireNonNull(type, "type");
    }

    /// Makes the source of a user's or an author's message.
    public static MessageSource of(Type type) {
        return new MessageSource(type, null, null, null, null);
    }

    /// Kind of author.
    public enum Type {
        /// A person, or a program in a person's place.
        @JsonProperty("user")
        USER,
        /// The model.
        @JsonProperty("assistant")
        ASSISTANT,
        /// A tool.
        @JsonProperty("tool")
        TOOL,
        /// The agent's author.
        @JsonProperty("system")
        SYSTEM,
        /// An extension, or the fleet itself.
        @JsonProperty("extension")
        EXTENSION,
        /// A kind of a later version. Every kind that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
