package dev.toolfleet.client.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.topic.Topic;

/// Role of a principal in the fleet; it determines the topics that the principal may read and write. A principal may
/// have several roles; their rights add up. The table in `docs/security.md` is the same. [RoleAcls] has the rights of a
/// role beside these topics.
public enum Role {
    /// Calls tools and reads the results.
    RUNTIME("announces steps, calls tools, cancels calls, and reads their results"),
    /// Reports the outcome of work that finishes later, wherever it runs.
    TOOL("reports progress and outcome of work that finishes later"),
    /// Decides about approvals: a person, or a program that acts for people.
    APPROVER("reads the calls that wait for approval, and decides"),
    /// Reads what happened and why.
    ANALYST("reads events, results and reasons, and writes nothing"),
    /// Keeps the fleet going.
    OPERATOR("reads the analyst's topics, cancels calls, helps lanes, switches tools off, and handles dead letters"),
    /// Brings bundles to the fleet.
    DEPLOYER("creates topics and applies bundles"),
    /// `toolfleet worker`.
    WORKER("runs calls: the workers of the fleet"),
    /// `toolfleet catalog`.
    CATALOG("answers steps with their catalogs: the catalog services of the fleet"),
    /// `toolfleet gateway`. It acts for all of its clients, so it has the rights of a runtime, a tool and an approver.
    GATEWAY("calls, completes and decides for clients that speak HTTP: the gateways of the fleet"),
    /// `toolfleet session-service`.
    SESSION("keeps the messages of sessions: the session services of the fleet");

    private final String purpose;

    Role(String purpose) {
        this.purpose = purpose;
    }

    /// Returns the role with this name in lower case.
    public static Optional<Role> named(String name) {
        return Arrays.stream(values()).filter(role -> role.text().equals(name)).findFirst();
    }

    /// Returns its name in lower case.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the purpose of the role, as a clause.
    public String purpose() {
        return purpose;
    }

    /// Returns the topics that it reads.
    public Set<Topic> reads() {
        return switch (this) {
            case RUNTIME -> EnumSet.of(Topic.RESULT, Topic.PROGRESS, Topic.PENDING, Topic.CATALOG_STEP,
                    Topic.CATALOG_CONTENT, Topic.AGENT_EVENT, Topic.AGENT_INSTANCE, Topic.SESSION_MESSAGE,
                    Topic.SESSION_STATE, Topic.SESSION_REPORT);
            case TOOL -> EnumSet.noneOf(Topic.class);
            case APPROVER -> EnumSet.of(Topic.PENDING, Topic.PROGRESS, Topic.RESULT, Topic.AUDIT);
            // All topics except those with tokens or with data that no result guard has checked: outcomes as the work
            // reported them, and requests of agents with the tokens for their answers.
            case ANALYST, OPERATOR ->
                EnumSet.complementOf(EnumSet.of(Topic.COMPLETION, Topic.CALL_RESUMED, Topic.AGENT_EVENT));
            case DEPLOYER -> EnumSet.of(Topic.RESOURCE);
            case WORKER -> EnumSet.of(Topic.CALL, Topic.CALL_RESUMED, Topic.RESULT, Topic.JOURNAL, Topic.CATALOG_STEP,
                    Topic.PENDING, Topic.COMPLETION, Topic.DECISION, Topic.CONTROL, Topic.OPERATOR, Topic.RESOURCE,
                    Topic.CATALOG_CONTENT, Topic.AGENT_EVENT, Topic.AGENT_INSTANCE, Topic.AGENT_LABEL,
                    Topic.BUDGET, Topic.OAUTH_GRANT,
                    Topic.OAUTH_SESSION, Topic.OAUTH_ORDER);
            case CATALOG -> EnumSet.of(Topic.STEP, Topic.RESULT, Topic.RESOURCE, Topic.CATALOG_STEP,
                    Topic.CATALOG_CONTENT, Topic.PENDING, Topic.JOURNAL, Topic.OPERATOR);
            case GATEWAY -> EnumSet.of(Topic.CALL, Topic.RESULT, Topic.PROGRESS, Topic.PENDING, Topic.DECISION,
                    Topic.CATALOG_STEP, Topic.CATALOG_CONTENT, Topic.RESOURCE, Topic.ERROR, Topic.DEAD_LETTER,
                    Topic.OAUTH_SESSION);
            case SESSION -> EnumSet.of(Topic.CALL, Topic.RESULT, Topic.STEP, Topic.SESSION_MESSAGE, Topic.RESOURCE);
        };
    }

    /// Returns the topics that it writes.
    public Set<Topic> writes() {
        return switch (this) {
            case RUNTIME -> EnumSet.of(Topic.CALL, Topic.STEP, Topic.CONTROL, Topic.AGENT_EVENT, Topic.AGENT_INSTANCE,
                    Topic.SESSION_MESSAGE);
            case TOOL -> EnumSet.of(Topic.COMPLETION);
            case APPROVER -> EnumSet.of(Topic.DECISION);
            case ANALYST -> EnumSet.noneOf(Topic.class);
            case OPERATOR -> EnumSet.of(Topic.CONTROL, Topic.OPERATOR, Topic.RESOURCE, Topic.AUDIT, Topic.DEAD_LETTER,
                    Topic.SESSION_MESSAGE, Topic.AGENT_LABEL, Topic.OAUTH_ORDER);
            case DEPLOYER -> EnumSet.of(Topic.RESOURCE);
            case WORKER -> EnumSet.of(Topic.CALL_RESUMED, Topic.RESULT, Topic.PROGRESS, Topic.JOURNAL, Topic.PENDING,
                    Topic.ERROR, Topic.AUDIT, Topic.DEAD_LETTER, Topic.CONTROL, Topic.RESOURCE, Topic.AGENT_EVENT,
                    Topic.AGENT_INSTANCE, Topic.AGENT_LABEL, Topic.BUDGET, Topic.DECISION, Topic.OAUTH_GRANT,
                    Topic.OAUTH_SESSION,
                    Topic.OAUTH_ORDER);
            case CATALOG -> EnumSet.of(Topic.CATALOG_STEP, Topic.CATALOG_CONTENT, Topic.DEAD_LETTER);
            case GATEWAY -> EnumSet.of(Topic.CALL, Topic.STEP, Topic.CONTROL, Topic.COMPLETION, Topic.DECISION,
                    Topic.DEAD_LETTER, Topic.OAUTH_ORDER);
            case SESSION -> EnumSet.of(Topic.SESSION_MESSAGE, Topic.SESSION_STATE, Topic.SESSION_REPORT, Topic.CONTROL,
                    Topic.CALL, Topic.STEP, Topic.DEAD_LETTER);
        };
    }

    /// True if it may read the settings of every topic: processes of the fleet check them when they start.
    public boolean checksSettings() {
        return switch (this) {
            case WORKER, CATALOG, GATEWAY, SESSION, DEPLOYER -> true;
            case RUNTIME, TOOL, APPROVER, ANALYST, OPERATOR -> false;
        };
    }

    /// Returns further topics whose partitions it may count. Processes of the fleet check all topics when they start,
    /// and so does a deployer that creates them.
    public Set<Topic> sees() {
        Set<Topic> sees = switch (this) {
            case WORKER, CATALOG, GATEWAY, SESSION, DEPLOYER -> EnumSet.allOf(Topic.class);
            case RUNTIME, TOOL, APPROVER, ANALYST, OPERATOR -> EnumSet.noneOf(Topic.class);
        };
        sees.removeAll(reads());
        sees.removeAll(writes());
        return sees;
    }
}
