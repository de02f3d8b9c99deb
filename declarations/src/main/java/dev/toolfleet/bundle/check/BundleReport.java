package dev.toolfleet.bundle.check;

import java.util.List;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Severity;

/// Bundle with all findings about it, by file, line and column.
public record BundleReport(Bundle bundle, List<BundleProblem> problems) {
    /// True if there is no error.
    public boolean valid() {
        return count(Severity.ERROR) == 0;
    }

    /// Number of problems of that severity.
    public long count(Severity severity) {
        return problems.stream().filter(problem -> problem.severity() == severity).count();
    }
}
