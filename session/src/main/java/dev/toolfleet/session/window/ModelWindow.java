package dev.toolfleet.session.window;

/// Context window of a model.
///
/// @param tokens the most tokens of a request and its answer together
/// @param known false when the model's window is not declared and a usual one is assumed
public record ModelWindow(int tokens, boolean known) {
    /// The window that is assumed for a model without a declared one.
    public static final ModelWindow UNKNOWN = new ModelWindow(128_000, false);

    /// Checks that there is a window.
    public ModelWindow {
        if (tokens <= 0)
            throw new IllegalArgumentException("contextWindow must be more than 0, got " + tokens);
    }

    /// Makes the declared window of a model.
    public static ModelWindow of(int tokens) {
        return new ModelWindow(tokens, true);
    }
}
