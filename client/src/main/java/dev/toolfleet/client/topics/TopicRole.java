package dev.toolfleet.client.topics;

import dev.toolfleet.topic.Topic;

/// Kind of a process of the fleet; it determines the rights that the process needs on topics.
public enum TopicRole {
    /// Runs calls.
    WORKER("a worker"),
    /// Answers steps with catalogs.
    CATALOG("the catalog service"),
    /// Reads what happens to calls, and writes for clients that speak HTTP.
    GATEWAY("the gateway"),
    /// Keeps the messages of sessions.
    SESSION("the session service");

    private final String what;

    TopicRole(String what) {
        this.what = what;
    }

    /// Returns its name for a sentence.
    public String what() {
        return what;
    }

    boolean reads(Topic topic) {
        return switch (topic) {
            case RESULT, RESOURCE -> true;
            case CATALOG_STEP, CATALOG_CONTENT, PENDING -> this != SESSION;
            case STEP -> this == CATALOG || this == SESSION;
            case CALL -> this != CATALOG;
            case DECISION -> this == WORKER || this == GATEWAY;
            case SESSION_MESSAGE -> this == SESSION;
            case JOURNAL, OPERATOR -> this == WORKER || this == CATALOG;
            case CALL_RESUMED, COMPLETION, CONTROL, BUDGET, AGENT_INSTANCE, AGENT_LABEL -> this == WORKER;
            case PROGRESS, ERROR, DEAD_LETTER -> this == GATEWAY;
            case OAUTH_SESSION -> this == WORKER || this == GATEWAY;
            case OAUTH_GRANT, OAUTH_ORDER -> this == WORKER;
            case AUDIT, AGENT_EVENT, SESSION_STATE, SESSION_REPORT -> false;
        };
    }

    boolean writes(Topic topic) {
        return switch (topic) {
            case DEAD_LETTER -> true;
            case CATALOG_STEP, CATALOG_CONTENT -> this == CATALOG;
            case CALL_RESUMED, RESULT, PROGRESS, JOURNAL, PENDING, ERROR, AUDIT, AGENT_EVENT, AGENT_INSTANCE,
                    AGENT_LABEL, BUDGET, OAUTH_GRANT, OAUTH_SESSION ->
                this == WORKER;
            case CONTROL -> this != CATALOG;
            case CALL, STEP -> this == GATEWAY || this == SESSION;
            case COMPLETION -> this == GATEWAY;
            case DECISION, OAUTH_ORDER -> this == WORKER || this == GATEWAY;
            case SESSION_MESSAGE, SESSION_STATE, SESSION_REPORT -> this == SESSION;
            case OPERATOR, RESOURCE -> false;
        };
    }
}
