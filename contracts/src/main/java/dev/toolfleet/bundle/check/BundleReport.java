package dev.toolfleet.bundle.check;

import java.util.List;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Problem;
import dev.toolfleet.bundle.Severity;

/// A bundle and everything that was found about it, by file, line and column.
public record BundleReport(Bundle bundle, List<Problem> problems) {
    /// Whether nothing is an error.
    public boolean valid() {
        return count(Severity.ERROR) == 0;
    }

    /// How many problems have that severity.
    public long count(Severity severity) {
        return problems.stream().filter(problem -> problem.severity() == severity).count();
    }
}
