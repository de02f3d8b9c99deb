package dev.toolfleet.config;

import java.util.Locale;
import java.util.regex.Pattern;

/// Rule for settings that must not be shown. It judges by name, since values look alike; a name that merely sounds
/// secret is masked too.
public final class Secrets {
    /// The text in place of a secret.
    public static final String MASK = "********";

    private static final Pattern NAMES = Pattern
            .compile("password|passwd|passphrase|secret|token|jaas|credential|apikey|api[._-]key|(key$)");
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]+@");

    private Secrets() {}

    /// True if the value of `key` is a secret.
    public static boolean isSecret(String key) {
        return NAMES.matcher(key.toLowerCase(Locale.ROOT)).find();
    }

    /// Returns `value` in a form that may be shown: masked when its key is secret, and without the user part of
    /// addresses.
    public static String masked(String key, String value) {
        if (value.isEmpty())
            return value;
        return isSecret(key) ? MASK : USER_INFO.matcher(value).replaceAll("://" + MASK + "@");
    }
}
