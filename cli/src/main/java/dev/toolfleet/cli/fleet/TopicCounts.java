package dev.toolfleet.cli.fleet;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// Number of committed records on each topic. They are read and counted, since offsets count markers of transactions
/// too.
///
/// @param counts topics without records are left out
public record TopicCounts(Topics topics, Map<Topic, Integer> counts) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /// Counts what is committed now.
    public static TopicCounts read(FleetConfig fleet) {
        Topics topics = fleet.topics().topics();
        Map<Topic, Integer> counts = new EnumMap<>(Topic.class);
        try (TopicScan scan = TopicScan.open(fleet.kafka().clientProperties(), TIMEOUT, TopicScan.Gauge.SILENT)) {
            for (Topic topic : Topic.values())
                scan.read(topics.name(topic), record -> counts.merge(topic, 1, Integer::sum));
        }
        return new TopicCounts(topics, counts);
    }

    /// A table for a person.
    public List<String> lines(Style style, int width) {
        Grid grid = new Grid(width, "topic", "records", "what they are");
        for (Topic topic : Topic.values()) {
            Integer count = counts.get(topic);
            if (count != null)
                grid.row(topics.name(topic), Integer.toString(count), meaning(topic));
        }
        return grid.lines(style);
    }

    private static String meaning(Topic topic) {
        return switch (topic) {
            case CALL -> "calls, as the agent made them";
            case CALL_RESUMED -> "calls that go on after an approval or a completion";
            case RESULT -> "results, in the partitions of their calls";
            case PROGRESS -> "how far running calls are";
            case JOURNAL -> "what was about to start, so that nothing happens twice";
            case STEP -> "steps that the agent announced";
            case CATALOG_STEP -> "which tools each step's model may call";
            case PENDING -> "calls that finish later";
            case COMPLETION -> "what long-running work says";
            case DECISION -> "what people decided";
            case ERROR -> "failures, for those who analyse";
            case AUDIT -> "verdicts and decisions";
            case DEAD_LETTER -> "records that could not be read";
            case CONTROL -> "cancellations";
            case OPERATOR -> "orders of operators to lanes";
            case RESOURCE -> "what the bundles declare";
            case CATALOG_CONTENT -> "catalog contents, which steps share";
            case BUDGET -> "what agents and users have spent of budgets, for the whole fleet";
            case AGENT_EVENT -> "events from agent to agent";
            case AGENT_INSTANCE -> "agent instances";
            case AGENT_LABEL -> "labels of agent instances, for the whole fleet";
            case SESSION_MESSAGE -> "messages of sessions";
            case SESSION_STATE -> "the state of each session";
            case SESSION_REPORT -> "refusals and repairs of sessions";
            case OAUTH_GRANT -> "access that people have granted to tools, sealed";
            case OAUTH_SESSION -> "authorizations under way";
            case OAUTH_ORDER -> "orders to the owners of grants, sealed";
        };
    }
}
