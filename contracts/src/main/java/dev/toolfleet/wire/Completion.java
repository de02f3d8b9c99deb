package dev.toolfleet.wire;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Report of long-running work, on `tool.completion` by its handle. [CompletionDecoder] checks the fields of each kind.
///
/// @param output with `completed`
/// @param error with `failed` and, optionally, `cancelled`
/// @param progress with `progress`
/// @param token proves that the sender may complete the handle; required if the call has one
public record Completion(String handle, Kind kind, @Nullable JsonNode output, @Nullable ToolError error,
        @Nullable Progress progress, @Nullable String token) {
    /// The work is done.
    public static Completion completed(String handle, @Nullable JsonNode output, @Nullable String token) {
        return new Completion(handle, Kind.COMPLETED, output, null, null, token);
    }

    /// The work failed.
    public static Completion failed(String handle, ToolError error, @Nullable String token) {
        return new Completion(handle, Kind.FAILED, null, error, null, token);
    }

    /// The work was given up.
    public static Completion cancelled(String handle, @Nullable ToolError error, @Nullable String token) {
        return new Completion(handle, Kind.CANCELLED, null, error, null, token);
    }

    /// The work goes on.
    public static Completion progress(String handle, Progress progress, @Nullable String token) {
        return new Completion(handle, Kind.PROGRESS, null, null, progress, token);
    }

    /// Checks that handle and kind are present.
    public Completion {
        requireNonNull(handle, "handle");
        requireNonNull(kind, "kind");
    }

    /// Kind of a report.
    public enum Kind {
        /// The work is done.
        @JsonProperty("completed")
        COMPLETED,
        /// The work failed.
        @JsonProperty("failed")
        FAILED,
        /// The work was given up.
        @JsonProperty("cancelled")
        CANCELLED,
        /// The work goes on.
        @JsonProperty("progress")
        PROGRESS,
        /// A kind of a later version. Every kind that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN;

        /// Returns its text on the wire.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
