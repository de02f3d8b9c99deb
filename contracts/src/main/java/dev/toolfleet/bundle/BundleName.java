package dev.toolfleet.bundle;

import java.util.regex.Pattern;

/// Rule for the names of bundles: `builds` or `@acme/builds`. A name stands in keys of records and in paths of workers, so
/// writers refuse to publish any other name, and readers refuse to show it.
public final class BundleName {
    private static final Pattern RULE = Pattern
            .compile("(@[A-Za-z0-9][A-Za-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*");

    private BundleName() {}

    /// Whether a bundle may have that name. Such a name is a relative path without `..`.
    public static boolean isValid(String name) {
        return RULE.matcher(name).matches();
    }
}
