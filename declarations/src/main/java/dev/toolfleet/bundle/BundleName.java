package dev.toolfleet.bundle;

import java.util.regex.Pattern;

/// Rule for the names of bundles: `builds` or `@acme/builds`. A name is part of records' keys and of workers' paths. So
/// writers publish no other name, and readers reject it.
public final class BundleName {
    private static final Pattern RULE = Pattern
            .compile("(@[A-Za-z0-9][A-Za-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*");

    private BundleName() {}

    /// True if a bundle may have that name. Such a name is a relative path without `..`.
    public static boolean isValid(String name) {
        return RULE.matcher(name).matches();
    }
}
