package dev.toolfleet.policy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Result of one stage for a call.
///
/// @param cause null when it decides nothing
public record StageResult(Stage stage, @Nullable Cause cause) {
    private static final Map<Stage, StageResult> SILENT = silent();

    private static Map<Stage, StageResult> silent() {
        Map<Stage, StageResult> silent = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values())
            silent.put(stage, new StageResult(stage, null));
        return silent;
    }

    static StageResult of(Stage stage, @Nullable Cause cause) {
        return cause == null ? requireNonNull(SILENT.get(stage)) : new StageResult(stage, cause);
    }

    /// Returns its cause; empty when it decides nothing.
    public Optional<Cause> said() {
        return Optional.ofNullable(cause);
    }
}
