package dev.toolfleet.gateway.rest;

import java.util.List;

import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;

/// Refusals of requests that several routes share.
final class Refusals {
    private Refusals() {}

    static ProblemException invalid(String detail) {
        return of(ProblemType.INVALID_REQUEST, detail);
    }

    static ProblemException of(ProblemType type, String detail) {
        return new ProblemException(Problem.of(type, detail));
    }

    /// A refusal that ends by itself.
    static ProblemException later(String reason) {
        return new ProblemException(Problem.notReady("The gateway cannot answer this now: " + reason
                + ". Send the same request again in a second.", List.of()));
    }
}
