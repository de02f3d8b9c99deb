package dev.toolfleet.console.page;

import java.util.List;

import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;

/// Checks that several pages share.
final class Rights {
    private Rights() {}

    /// Checks that a person may see a section.
    ///
    /// @throws ProblemException when they may not
    static void check(Visit visit, Section section) {
        if (!section.hasScope(visit))
            throw forbidden(visit, section.label(), section.needs());
        if (section.isWhole())
            visit.principal().checkUnrestricted("the page " + section.label());
    }

    /// Checks that a person may do something.
    ///
    /// @param what the thing that they want to do
    /// @throws ProblemException when they may not
    static void check(Visit visit, Scope scope, String what) {
        if (!visit.has(scope))
            throw forbidden(visit, what, scope.text());
    }

    /// Returns the refusal of a person without a right.
    static ProblemException forbidden(Visit visit, String what, String scopes) {
        return new ProblemException(Problem.of(ProblemType.FORBIDDEN, what + " needs the scope " + scopes
                + ", which '" + visit.author() + "' does not have. Add it to " + visit.principal().setting("scopes")
                + ", and have the token issued with it if it is a JWT."));
    }

    /// Returns a value that was read.
    ///
    /// @throws ProblemException when it cannot be read now, or there is none
    static <T> T value(Answer<T> answer) {
        return switch (answer) {
            case Answer.Found<T>(T value) -> value;
            case Answer.Unknown<T>(String reason) ->
                throw new ProblemException(Problem.of(ProblemType.UNKNOWN_CALL, reason + "."));
            case Answer.Unavailable<T>(String reason) -> throw new ProblemException(
                    Problem.notReady("This cannot be read now: " + reason + ". Load the page again in a second.",
                            List.of()));
        };
    }
}
