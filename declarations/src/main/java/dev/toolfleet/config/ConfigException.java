package dev.toolfleet.config;

/// Failure of a setting. The message names the key, its value and the accepted values: one line, to be printed
/// unchanged.
public final class ConfigException extends RuntimeException {
    /// Makes a failure with its own text.
    public ConfigException(String message) {
        super(message);
    }

    /// Makes a failure with key, value and accepted values. Values of secret keys are masked.
    ///
    /// @param key the full key, such as `worker.maxInFlight`
    public ConfigException(String key, String value, String accepted) {
        super(key + " is '" + Secrets.masked(key, value) + "'; accepted: " + accepted);
    }
}
