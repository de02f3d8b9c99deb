package dev.toolfleet.session.window;

import java.util.Optional;

import dev.toolfleet.session.window.WindowState.Status;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Evaluation of a context window's use (seed 003, section 4.7).
///
/// **Contract.** Thresholds are inclusive. There is no floor in tokens: a window of 8,192 tokens is protected like one of
/// 200,000. A status falls only when the ratio is [#HYSTERESIS] below the threshold, so that a use near a limit reports
/// it once. Another window is evaluated anew.
///
/// **Threads.** Thread-safe: pure functions.
///
/// @param config the limits
public record WindowGuard(WindowConfig config) {
    /// Distance below a threshold at which the status falls.
    public static final double HYSTERESIS = 0.05;

    /// Checks that the limits are present.
    public WindowGuard {
        requireNonNull(config, "config");
    }

    /// Evaluates a request.
    ///
    /// @param previous the state of the request before it, or null for the first
    /// @throws IllegalArgumentException when the reserve leaves nothing of the window
    public WindowState evaluate(Breakdown breakdown, ModelWindow model, @Nullable WindowState previous) {
        Status before = previous != null && previous.maxTokens() == model.tokens() ? previous.status() : Status.SAFE;
        return evaluateAfter(breakdown, model, before);
    }

    /// Evaluates a request after one of the same window.
    ///
    /// @param before the status of the request before it
    /// @throws IllegalArgumentException when the reserve leaves nothing of the window
    public WindowState evaluateAfter(Breakdown breakdown, ModelWindow model, Status before) {
        int effective = model.tokens() - config.reserveTokens();
        if (effective <= 0) {
            throw new IllegalArgumentException("reserveTokens must be less than the model's context window of "
                    + model.tokens() + " tokens, got " + config.reserveTokens());
        }
        double ratio = breakdown.current() / (double) effective;
        Status status = status(ratio, before);
        boolean needed = status == Status.CRITICAL || status == Status.EXCEEDED;
        return new WindowState(breakdown.current(), model.tokens(), effective, ratio, status, needed, model.known(),
                breakdown);
    }

    /// Returns `state` when it must be reported: its status is not that of `previous`. The first state is reported unless
    /// it is safe.
    public static Optional<WindowState> transition(@Nullable WindowState previous, WindowState state) {
        Status before = previous == null ? Status.SAFE : previous.status();
        return state.status() == before ? Optional.empty() : Optional.of(state);
    }

    private Status status(double ratio, Status previous) {
        Status status = Status.SAFE;
        for (Status candidate : Status.values()) {
            double distance = candidate.compareTo(previous) <= 0 ? HYSTERESIS : 0;
            if (ratio >= threshold(candidate) - distance)
                status = candidate;
        }
        return status;
    }

    private double threshold(Status status) {
        return switch (status) {
            case SAFE -> Double.NEGATIVE_INFINITY;
            case WARNING -> config.warningThreshold();
            case CRITICAL -> config.criticalThreshold();
            case EXCEEDED -> 1;
        };
    }
}
