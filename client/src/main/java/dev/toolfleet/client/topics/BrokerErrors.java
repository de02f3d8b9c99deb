package dev.toolfleet.client.topics;

import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/// Explains exceptions of Kafka clients to the person who starts a process.
public final class BrokerErrors {
    private BrokerErrors() {}

    static FleetTopicsException explain(Throwable problem, String servers, String timeout) {
        return explain(problem, servers, timeout, "asking " + servers + " about the fleet's topics");
    }

    /// Returns the explanation in one line, with the way out.
    ///
    /// @param servers as the client was given them
    /// @param timeout the time that the client waited
    /// @param attempt the failed action, such as `asking HOST about topics`
    public static FleetTopicsException explain(Throwable problem, String servers, String timeout, String attempt) {
        Throwable cause = meaning(problem);
        String message = switch (cause) {
            case TimeoutException e -> "no Kafka broker answered at " + servers + " within " + timeout
                    + "; start it (`toolfleet dev` brings its own), or correct bootstrap.servers and the security"
                    + " settings of the kafka section";
            case AuthenticationException e -> servers + " refused the login: " + FleetTopics.oneLine(e)
                    + "; check the security settings of the kafka section";
            case AuthorizationException e -> servers + " does not allow it: " + FleetTopics.oneLine(e)
                    + "; grant this client's principal the right that is named, or the role that it has: toolfleet topics acl";
            case ConfigException e -> "the Kafka client properties for " + servers + " are not valid: "
                    + FleetTopics.oneLine(e);
            default -> attempt + " failed: " + FleetTopics.oneLine(cause);
        };
        return new FleetTopicsException(message, problem);
    }

    /// Finds the telling cause: Kafka wraps configuration errors in a general exception without details.
    private static Throwable meaning(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConfigException || cause instanceof AuthenticationException
                    || cause instanceof AuthorizationException)
                return cause;
        }
        return problem;
    }
}
