package dev.toolfleet.config;

import java.util.Locale;
import java.util.regex.Pattern;

/// Which settings must not be shown. Judged by name, since values cannot be told apart; a name that merely sounds
/// secret is masked too.
public final class Secrets {
    /// What stands in place of a secret.
    public static final String MASK = "********";

    private static final Pattern NAMES = Pattern
            .compile("password|passwd|passphrase|secret|token|jaas|credential|apikey|api[._-]key|(key$)");
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]+@");

    private Secrets() {}

    /// Whether the value of `key` is a secret.
    public static boolean isSecret(String key) {
        return NAMES.matcher(key.toLowerCase(Locale.ROOT)).find();
    }

    /// `value` as it may be shown: masked when its key is secret, and without the user part of addresses.
    public static String masked(String key, String value) {
        if (value.isEmpty())
            return value;
        return isSecret(key) ? MASK : USER_INFO.matcher(value).replaceAll("://" + MASK + "@");
    }
}
