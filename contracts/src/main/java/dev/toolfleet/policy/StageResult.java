package dev.toolfleet.policy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What one stage says about a call.
///
/// @param cause null when it has nothing to say
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

    /// What it says and why; empty when it has nothing to say.
    public Optional<Cause> said() {
        return Optional.ofNullable(cause);
    }
}
