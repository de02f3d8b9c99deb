package dev.toolfleet.bundle.check;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;

/// Collects the findings of the rules.
final class Findings {
    private final List<BundleProblem> problems = new ArrayList<>();

    void add(Severity severity, ProblemCode code, Place place, String message, String hint) {
        problems.add(new BundleProblem(severity, code, message, place.position(), place.path().toString(), hint));
    }

    /// Adds a finding that points at the key instead of its value.
    void addAtKey(Severity severity, ProblemCode code, Place place, String message, String hint) {
        problems.add(new BundleProblem(severity, code, message, place.keyPosition(), place.path().toString(), hint));
    }

    void error(ProblemCode code, Place place, String message, String hint) {
        add(Severity.ERROR, code, place, message, hint);
    }

    void warning(ProblemCode code, Place place, String message, String hint) {
        add(Severity.WARNING, code, place, message, hint);
    }

    void hint(ProblemCode code, Place place, String message, String hint) {
        add(Severity.HINT, code, place, message, hint);
    }

    void notice(ProblemCode code, Place place, String message, String hint) {
        add(Severity.NOTICE, code, place, message, hint);
    }

    boolean has(ProblemCode code, String file) {
        return problems.stream().anyMatch(problem -> problem.code() == code && problem.file().equals(file));
    }

    List<BundleProblem> problems() {
        return problems;
    }
}
