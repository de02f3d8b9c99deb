package dev.toolfleet.loading;

/// The code behind an entry cannot be had; the message names entry, cause and way out.
public final class ModuleLoadException extends RuntimeException {
    /// Says why.
    public ModuleLoadException(String message) {
        super(message);
    }

    /// What is said of something that the making of a module threw. Throws nothing, whatever the failure's own code does.
    public static String reason(Throwable failure) {
        if (failure instanceof ModuleLoadException known)
            return String.valueOf(known.getMessage());
        try {
            return String.valueOf(failure.toString());
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }

    /// Says why, with the cause.
    public ModuleLoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
