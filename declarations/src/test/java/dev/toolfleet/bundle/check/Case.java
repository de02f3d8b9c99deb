package dev.toolfleet.bundle.check;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Severity;

import static org.assertj.core.api.Assertions.assertThat;

/// Row of a table of rules: a text, and the expected finding, with its path and a way out.
record Case(String behaviour, String text, Severity severity, ProblemCode code, String path, String says) {
    static Case error(String behaviour, String text, ProblemCode code, String path, String says) {
        return new Case(behaviour, text, Severity.ERROR, code, path, says);
    }

    static Case warning(String behaviour, String text, ProblemCode code, String path, String says) {
        return new Case(behaviour, text, Severity.WARNING, code, path, says);
    }

    static Case hint(String behaviour, String text, ProblemCode code, String path, String says) {
        return new Case(behaviour, text, Severity.HINT, code, path, says);
    }

    static Case notice(String behaviour, String text, ProblemCode code, String path, String says) {
        return new Case(behaviour, text, Severity.NOTICE, code, path, says);
    }

    /// Checks that the finding occurs once, with its place, and that the bundle is valid exactly when the finding is no
    /// error.
    void verify(BundleReport report) {
        assertThat(report.problems()).as("%s", report.problems()).filteredOn(this::matches).hasSize(1)
                .allSatisfy(problem -> {
                    assertThat(ProblemText.of(problem)).contains(says);
                    assertThat(problem.line()).isPositive();
                    assertThat(problem.column()).isPositive();
                    if (severity != Severity.NOTICE)
                        assertThat(problem.hint().isBlank() ? problem.message() : "a hint").as("a way out")
                                .containsAnyOf("must be", "a hint");
                });
        assertThat(report.valid()).as("%s", report.problems()).isEqualTo(severity != Severity.ERROR);
    }

    private boolean matches(BundleProblem problem) {
        return problem.severity() == severity && problem.code() == code && problem.path().equals(path);
    }

    @Override
    public String toString() {
        return behaviour;
    }
}
