package dev.toolfleet.client.topics;

import dev.toolfleet.topic.Topic;

/// Kind of a process of the fleet; it determines the rights that the process needs on topics.
public enum TopicRole {
    /// Runs calls.
    WORKER("a worker"),
    /// Answers steps with catalogs.
    CATALOG("the catalog service");

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
            case CATALOG_STEP, CATALOG_CONTENT, RESOURCE, RESULT, PENDING -> true;
            case STEP -> this == CATALOG;
            case CALL, CALL_RESUMED, JOURNAL, COMPLETION, DECISION, CONTROL, OPERATOR, AGENT_INSTANCE -> this == WORKER;
            case PROGRESS, ERROR, AUDIT, DEAD_LETTER, AGENT_EVENT -> false;
        };
    }

    boolean writes(Topic topic) {
        return switch (topic) {
            case DEAD_LETTER -> true;
            case CATALOG_STEP, CATALOG_CONTENT -> this == CATALOG;
            case CALL_RESUMED, RESULT, PROGRESS, JOURNAL, PENDING, ERROR, AUDIT, CONTROL, AGENT_EVENT, AGENT_INSTANCE ->
                this == WORKER;
            case CALL, STEP, COMPLETION, DECISION, OPERATOR, RESOURCE -> false;
        };
    }
}
