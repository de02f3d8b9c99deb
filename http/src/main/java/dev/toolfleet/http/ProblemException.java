package dev.toolfleet.http;

/// Ends the handling of a request with a problem document.
public final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    /// Ends the handling of this request.
    public ProblemException(Problem problem) {
        super(problem.type().name(), null, false, false);
        this.problem = problem;
    }

    /// Returns the problem.
    public Problem problem() {
        return problem;
    }
}
