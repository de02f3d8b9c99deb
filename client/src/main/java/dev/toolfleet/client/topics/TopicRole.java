package dev.toolfleet.client.topics;

import dev.toolfleet.topic.Topic;

/// What a process of the fleet does with its topics, and so needs the right to.
public enum TopicRole {
    /// Runs calls.
    WORKER("a worker"),
    /// Answers steps with catalogs.
    CATALOG("the catalog service");

    private final String what;

    TopicRole(String what) {
        this.what = what;
    }

    /// What it is called in a sentence.
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
