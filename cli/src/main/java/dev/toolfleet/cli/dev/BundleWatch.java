package dev.toolfleet.cli.dev;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.publishing.apply.BundleCheck;

/// Watch that reports when a bundle's files have changed and then stayed as they are for one look, so that a file that
/// is being written is not taken up half. Not thread-safe.
final class BundleWatch {
    private final Path folder;
    private Set<String> code = Set.of();
    private BundleSnapshot taken;
    private BundleSnapshot last;

    /// Begins with the files as they are.
    BundleWatch(Path folder, BundleReport report) {
        this.folder = folder;
        this.code = code(report);
        this.taken = BundleSnapshot.of(folder, code);
        this.last = taken;
    }

    /// Looks once.
    ///
    /// @return the bundle's report when its files have changed and settled
    Optional<BundleReport> look() {
        BundleSnapshot now = BundleSnapshot.of(folder, code);
        boolean settled = now.equals(last);
        last = now;
        if (!settled || now.equals(taken))
            return Optional.empty();
        BundleReport report = BundleCheck.check(folder);
        code = code(report);
        taken = BundleSnapshot.of(folder, code);
        last = taken;
        return Optional.of(report);
    }

    private static Set<String> code(BundleReport report) {
        try {
            return BundleFiles.paths(report.bundle());
        } catch (IOException e) {
            return Set.of(); // The apply names the reason; the declarations are watched all the same.
        }
    }
}
