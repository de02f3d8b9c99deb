package dev.toolfleet.cli.dev;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.BundleFiles;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.cli.bundle.BundleCheck;

/// Watch that reports when a bundle's files have changed and then stayed as they are for one look, so that a jar that
/// is being written is not taken up half. Not thread-safe.
final class BundleWatch {
    private final Path folder;
    private Set<String> jars = Set.of();
    private BundleSnapshot taken;
    private BundleSnapshot last;

    /// Begins with the files as they are.
    BundleWatch(Path folder, BundleReport report) {
        this.folder = folder;
        this.jars = jars(report);
        this.taken = BundleSnapshot.of(folder, jars);
        this.last = taken;
    }

    /// Looks once.
    ///
    /// @return the bundle's report when its files have changed and settled
    Optional<BundleReport> look() {
        BundleSnapshot now = BundleSnapshot.of(folder, jars);
        boolean settled = now.equals(last);
        last = now;
        if (!settled || now.equals(taken))
            return Optional.empty();
        BundleReport report = BundleCheck.check(folder);
        jars = jars(report);
        taken = BundleSnapshot.of(folder, jars);
        last = taken;
        return Optional.of(report);
    }

    private static Set<String> jars(BundleReport report) {
        return report.bundle().resources().stream().map(Resource::document).map(BundleFiles::jar)
                .flatMap(Optional::stream).collect(Collectors.toUnmodifiableSet());
    }
}
