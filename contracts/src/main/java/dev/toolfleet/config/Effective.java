package dev.toolfleet.config;

/// One setting as it was read.
///
/// @param key the full key
/// @param value the value, unmasked
/// @param origin where it stood: the file, an environment variable, a flag, or `default`
public record Effective(String key, String value, String origin) {
    /// The origin of values that nobody set.
    public static final String DEFAULT = "default";

    /// The value as it may be shown.
    public String shown() {
        return Secrets.masked(key, value);
    }

    @Override
    public String toString() {
        return key + "=" + shown() + " (" + origin + ")";
    }
}
