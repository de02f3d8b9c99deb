package dev.toolfleet.example.buildfarm;

import java.nio.file.Path;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.check.BundleValidator;
import dev.toolfleet.bundle.yaml.BundleLoader;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs after the jar was made; the bundle names it.
class BuildFarmBundleIT {
    @Test
    void theBundleHasNoProblems() {
        var report = new BundleValidator(BuiltIns.none()).validate(BundleLoader.load(Path.of("")));

        assertThat(report.problems()).isEmpty();
        assertThat(report.bundle().packageName()).contains("@example/build-farm");
    }
}
