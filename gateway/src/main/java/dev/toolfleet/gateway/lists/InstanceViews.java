package dev.toolfleet.gateway.lists;

import java.util.Locale;
import java.util.Map;

import dev.toolfleet.gateway.calls.Answer;
import org.jspecify.annotations.Nullable;

/// Views of an instance's agent, as the catalog services and session services of the fleet show them. Thread-safe; reads
/// block.
public interface InstanceViews {
    /// Knows no service.
    InstanceViews NONE = (view, instanceKey, agent, parameters, ifNoneMatch) -> new Answer.Unknown<>(view.none());

    /// Kind of view; the name is the last part of its path.
    enum View {
        /// Tools of the newest step.
        CATALOG,
        /// System prompt with these tools.
        PROMPT,
        /// Messages of the session.
        MESSAGES,
        /// State of the session.
        SESSION;

        /// Returns the last part of the path.
        public String path() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// True if the session services show it; the catalog services show the others.
        public boolean isOfSessions() {
            return this == MESSAGES || this == SESSION;
        }

        /// Returns the reason of a gateway that knows no such service, as a clause.
        public String none() {
            return isOfSessions()
                    ? "this gateway knows no session service; set gateway.session.url"
                    : "this gateway knows no catalog service; set gateway.catalog.url, or announce a step, whose answer"
                            + " has its catalog";
        }
    }

    /// Answer of a service.
    ///
    /// @param status 200, 304 or, for parameters that the service refuses, 400 or 422
    /// @param headers those about the step, the validator and the type of the body, by their names in lower case
    /// @param body JSON; null if the client already has it
    @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
    record Shown(int status, Map<String, String> headers, byte @Nullable [] body) {}

    /// Returns a view.
    ///
    /// @param parameters of the query, in their order
    /// @param ifNoneMatch validators that the client has; null for none
    Answer<Shown> read(View view, String instanceKey, String agent, Map<String, String> parameters,
            @Nullable String ifNoneMatch);
}
