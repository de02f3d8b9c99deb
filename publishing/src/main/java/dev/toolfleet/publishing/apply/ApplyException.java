package dev.toolfleet.publishing.apply;

/// A bundle was not applied. The message has the reason and the way out.
public final class ApplyException extends RuntimeException {
    private final boolean refused;

    private ApplyException(boolean refused, String message, Throwable cause) {
        super(message, cause);
        this.refused = refused;
    }

    private ApplyException(boolean refused, String message) {
        super(message);
        this.refused = refused;
    }

    /// The bundle, or its name, is not valid; nothing was tried.
    public static ApplyException refused(String message) {
        return new ApplyException(true, message);
    }

    /// It could not be read, or not be written.
    public static ApplyException failed(String message) {
        return new ApplyException(false, message);
    }

    /// It could not be read, or not be written, because of `cause`.
    public static ApplyException failed(String message, Throwable cause) {
        return new ApplyException(false, message, cause);
    }

    /// True if another try cannot succeed until the bundle is different.
    public boolean refused() {
        return refused;
    }
}
