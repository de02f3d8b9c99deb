package dev.toolfleet.topic;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Topics of the fleet with their settings. Names, keys and clean-up are public API (`docs/topics.md`).
public enum Topic {
    /// Calls by agent runtimes, by instanceKey.
    CALL("tool.call", Group.A, Cleanup.DELETE, Duration.ofDays(7)),
    /// Approved calls and outcomes of pending ones, written by the fleet alone.
    CALL_RESUMED("tool.call.resumed", Group.A, Cleanup.DELETE, Duration.ofDays(7)),
    /// Results, in the partition of their call.
    RESULT("tool.result", Group.A, Cleanup.DELETE, Duration.ofDays(7)),
    /// Progress of running and pending calls.
    PROGRESS("tool.progress", Group.A, Cleanup.DELETE, Duration.ofDays(1)),
    /// Intents, open handles and used grants, by call identity.
    JOURNAL("tool.journal", Group.A, Cleanup.COMPACT, Duration.ZERO),
    /// Steps that begin and end.
    STEP("agent.step", Group.A, Cleanup.DELETE, Duration.ofDays(7)),
    /// The newest step catalog of each instance and agent, in the partition of its step.
    CATALOG_STEP("tool.catalog.step", Group.A, Cleanup.COMPACT, Duration.ZERO),
    /// Pending calls by handle.
    PENDING("tool.pending", Group.FREE, Cleanup.COMPACT, Duration.ZERO),
    /// Reports of long-running work, by handle.
    COMPLETION("tool.completion", Group.FREE, Cleanup.DELETE, Duration.ofDays(7)),
    /// Decisions of people, by handle.
    DECISION("tool.decision", Group.FREE, Cleanup.DELETE, Duration.ofDays(30)),
    /// One event per final error result.
    ERROR("tool.error", Group.FREE, Cleanup.DELETE, Duration.ofDays(30)),
    /// Verdicts, decisions and operator actions.
    AUDIT("tool.audit", Group.FREE, Cleanup.DELETE, Duration.ofDays(90)),
    /// Records that could not be processed, unchanged, with the reason in headers.
    DEAD_LETTER("tool.dead-letter", Group.FREE, Cleanup.DELETE, Duration.ofDays(30)),
    /// Cancellations.
    CONTROL("tool.control", Group.FREE, Cleanup.DELETE, Duration.ofDays(1)),
    /// Orders of operators to lanes; only operators may write them.
    OPERATOR("tool.operator", Group.FREE, Cleanup.DELETE, Duration.ofDays(1)),
    /// Resources of bundles, one partition.
    RESOURCE("tool.resource", Group.SINGLE, Cleanup.COMPACT, Duration.ZERO),
    /// Catalog contents by digest, one partition.
    CATALOG_CONTENT("tool.catalog.content", Group.SINGLE, Cleanup.COMPACT, Duration.ZERO),
    /// Amounts that were spent of budgets of agents and users, for the whole fleet, one partition.
    BUDGET("tool.budget", Group.SINGLE, Cleanup.COMPACT, Duration.ZERO),
    /// Events from agent to agent, by the target's instanceKey.
    AGENT_EVENT("agent.event", Group.FREE, Cleanup.DELETE, Duration.ofDays(7)),
    /// Agent instances, by `agent/instanceKey`.
    AGENT_INSTANCE("agent.instance", Group.FREE, Cleanup.COMPACT, Duration.ZERO),
    /// Labels of agent instances as the whole fleet needs them, one partition.
    AGENT_LABEL("agent.label", Group.SINGLE, Cleanup.COMPACT, Duration.ZERO),
    /// Changes of sessions' messages, by instanceKey; those of results in the partition of their call.
    SESSION_MESSAGE("session.message", Group.A, Cleanup.DELETE, Duration.ofDays(30)),
    /// State of each session, by `instanceKey/agentName`, in the partition of its messages.
    SESSION_STATE("session.state", Group.A, Cleanup.COMPACT, Duration.ZERO),
    /// Refused events, repairs and compactions of sessions.
    SESSION_REPORT("session.report", Group.FREE, Cleanup.DELETE, Duration.ofDays(30)),
    /// Grants of people to OAuthApps, by grant id.
    OAUTH_GRANT("oauth.grant", Group.FREE, Cleanup.COMPACT, Duration.ZERO),
    /// Authorizations under way, by session id.
    OAUTH_SESSION("oauth.session", Group.FREE, Cleanup.COMPACT, Duration.ZERO),
    /// Orders to the owners of grants, by grant id.
    OAUTH_ORDER("oauth.order", Group.FREE, Cleanup.DELETE, Duration.ofDays(1));

    /// Partition counts: topics of one group must agree.
    public enum Group {
        /// One partition count for all: a record derived from another follows its partition number.
        A,
        /// Any count.
        FREE,
        /// One partition.
        SINGLE
    }

    /// Clock of the records' timestamps.
    public enum Timestamps {
        /// The brokers' clock. The fleet compares these times, so it rejects a topic with others.
        BROKERS_ALWAYS,
        /// The brokers' clock, so that they accept records of a worker whose clock is wrong. A topic of an earlier
        /// version with its writers' times is accepted.
        BROKERS,
        /// The clock of the writers, which are outside the fleet.
        WRITERS
    }

    private enum Cleanup {
        DELETE, COMPACT
    }

    /// Largest record on the topics that agents and tools write, in bytes; Kafka's own default.
    public static final int MAX_RECORD_BYTES = 1_048_588;
    /// Largest record on the topics that wrap a call, and largest result, in bytes.
    public static final int MAX_WRAPPING_RECORD_BYTES = 3 * MAX_RECORD_BYTES;

    private final String baseName;
    private final Group group;
    private final Cleanup cleanup;
    private final Duration retention;

    Topic(String baseName, Group group, Cleanup cleanup, Duration retention) {
        this.baseName = baseName;
        this.group = group;
        this.cleanup = cleanup;
        this.retention = retention;
    }

    /// The name without the fleet's prefix.
    public String baseName() {
        return baseName;
    }

    /// Returns the group of topics with which the partition count must agree.
    public Group group() {
        return group;
    }

    /// True if only the newest record of a key is kept.
    public boolean compacted() {
        return cleanup == Cleanup.COMPACT;
    }

    /// The largest record that the topic accepts, in bytes.
    public int maxRecordBytes() {
        return switch (this) {
            case CALL_RESUMED, RESULT, PENDING, DEAD_LETTER -> MAX_WRAPPING_RECORD_BYTES;
            default -> MAX_RECORD_BYTES;
        };
    }

    /// The topic's configuration, as Kafka names it.
    public Map<String, String> config() {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("max.message.bytes", Integer.toString(maxRecordBytes()));
        switch (cleanup) {
            case DELETE -> {
                config.put("cleanup.policy", "delete");
                config.put("retention.ms", Long.toString(retention.toMillis()));
            }
            case COMPACT -> {
                config.put("cleanup.policy", "compact");
                config.put("segment.bytes", Integer.toString(32 * 1024 * 1024));
                config.put("segment.ms", Long.toString(Duration.ofMinutes(10).toMillis()));
                config.put("min.cleanable.dirty.ratio", "0.1");
                config.put("delete.retention.ms", Long.toString(Duration.ofHours(1).toMillis()));
            }
        }
        // Otherwise: a pending call is compacted away before the fleet has read it.
        if (this == PENDING)
            config.put("min.compaction.lag.ms", Long.toString(Duration.ofDays(7).toMillis()));
        if (timestamps() != Timestamps.WRITERS)
            config.put("message.timestamp.type", "LogAppendTime");
        return config;
    }

    /// Returns the clock of the topic's timestamps.
    public Timestamps timestamps() {
        return switch (this) {
            case CALL, CALL_RESUMED, RESULT, CONTROL, OPERATOR -> Timestamps.BROKERS_ALWAYS;
            case STEP, COMPLETION, DECISION -> Timestamps.WRITERS;
            default -> Timestamps.BROKERS;
        };
    }
}
