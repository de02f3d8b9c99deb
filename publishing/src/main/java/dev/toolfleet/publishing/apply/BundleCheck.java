package dev.toolfleet.publishing.apply;

import java.nio.file.Path;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.bundle.check.BundleValidator;
import dev.toolfleet.bundle.yaml.BundleLoader;

/// Reads and checks the bundle in a folder.
public final class BundleCheck {
    private BundleCheck() {}

    /// Everything that was found.
    public static BundleReport check(Path folder) {
        return check(BundleLoader.load(folder));
    }

    /// The same for texts that have been read.
    public static BundleReport check(BundleLoader.LoadResult loaded) {
        return new BundleValidator(BuiltIns.of(BuiltInBundle.read().bundle())).validate(loaded);
    }
}
