package dev.toolfleet.catalog.http;

/// Ends the handling of a request with a problem document.
final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.type().name(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
