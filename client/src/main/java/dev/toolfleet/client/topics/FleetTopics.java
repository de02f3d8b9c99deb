package dev.toolfleet.client.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the topics of one fleet and checks them for its processes. Every method queries the broker, blocks at most
/// about the given timeout, and fails with a [FleetTopicsException] whose message is one line for a person.
/// Thread-safe.
public final class FleetTopics {
    /// The broker's default time limit.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    /// The default partition count of a new fleet's topics.
    public static final int DEFAULT_PARTITIONS = 12;

    static final String CREATE_COMMAND = "`toolfleet topics create`";
    private static final Logger LOG = LoggerFactory.getLogger(FleetTopics.class);

    private final Topics names;
    private final Map<String, Object> properties;
    private final Duration timeout;
    private final int newPartitions;
    private final OptionalInt pendingPartitions;

    /// Makes access to the topics of a fleet on the cluster to which `properties` lead.
    ///
    /// @param properties Kafka client properties: `bootstrap.servers`, and the settings for TLS and SASL
    public FleetTopics(Topics names, Map<String, ?> properties, Duration timeout) {
        this(names, Map.copyOf(properties), timeout, DEFAULT_PARTITIONS, OptionalInt.empty());
    }

    private FleetTopics(Topics names, Map<String, Object> properties, Duration timeout, int newPartitions,
            OptionalInt pendingPartitions) {
        this.names = names;
        this.properties = properties;
        this.timeout = timeout;
        this.newPartitions = newPartitions;
        this.pendingPartitions = pendingPartitions;
    }

    /// The same, with another partition count for a fleet that has no topics yet.
    public FleetTopics withNewPartitions(int partitions) {
        return new FleetTopics(names, properties, timeout, partitions, pendingPartitions);
    }

    /// Returns the same with a separate partition count for `tool.pending`. Passing the present count of a changed
    /// topic records it anew.
    public FleetTopics withPendingPartitions(int partitions) {
        return new FleetTopics(names, properties, timeout, newPartitions, OptionalInt.of(partitions));
    }

    /// Creates every topic that does not exist yet, leaves the others alone, and records the partition counts of group
    /// A and of `tool.pending` on `tool.resource`. Every partition takes records when this returns.
    ///
    /// @param partitions of all topics but those that must have one; empty takes the count of the existing topics of
    ///        group A, or [#withNewPartitions]. Passing the present count of changed topics records it anew.
    /// @param replication empty takes the broker's default
    public TopicsReport create(OptionalInt partitions, OptionalInt replication) {
        return asking(admin -> {
            Map<Topic, Integer> existing = describe(admin, EnumSet.allOf(Topic.class));
            int count = partitions.orElse(existing.entrySet().stream()
                    .filter(entry -> entry.getKey().group() == Topic.Group.A).findFirst().map(Map.Entry::getValue)
                    .orElse(newPartitions));
            Map<Topic, Integer> planned = new EnumMap<>(Topic.class);
            for (Topic topic : Topic.values())
                planned.put(topic, topic.group() == Topic.Group.SINGLE ? 1 : count);
            pendingPartitions.ifPresent(own -> planned.put(Topic.PENDING, own));
            planned.putAll(existing);
            refuse(new PartitionCounts(planned).problems(names));

            Set<Topic> missing = EnumSet.allOf(Topic.class);
            missing.removeAll(existing.keySet());
            Set<Topic> created = createAll(admin, missing, planned, replication);
            PartitionCounts counts = new PartitionCounts(awaitVisible(admin));
            refuse(counts.problems(names));
            awaitLeaders(admin, counts);
            record(counts, partitions);
            return new TopicsReport(namesOf(created::contains), namesOf(topic -> !created.contains(topic)));
        });
    }

    /// Checks all topics; see [#check(Collection)].
    public PartitionCounts check() {
        return check(EnumSet.allOf(Topic.class));
    }

    /// Checks the partition counts of topics. The topics must exist. Those of group A must have one partition count. It
    /// and the count of `tool.pending` must be the recorded ones (when [Topic#RESOURCE] is among them).
    /// Single-partition topics must have one partition.
    ///
    /// @return the counts
    public PartitionCounts check(Collection<Topic> needed) {
        return asking(admin -> {
            Map<Topic, Integer> existing = describe(admin, needed);
            List<String> missing = namesOf(topic -> needed.contains(topic) && !existing.containsKey(topic));
            if (!missing.isEmpty()) {
                throw new FleetTopicsException("%s missing at %s: %s; create the fleet's topics with %s".formatted(
                        missing.size() == 1 ? "a topic is" : missing.size() + " topics are", servers(),
                        missing.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")),
                        CREATE_COMMAND));
            }
            PartitionCounts counts = new PartitionCounts(existing);
            refuse(counts.problems(names));
            if (needed.contains(Topic.RESOURCE) && needed.contains(Topic.CALL))
                refuseChanged(counts);
            return counts;
        });
    }

    /// Checks the topics for the start of a process of the fleet: [#check()], the settings of the topics, and the
    /// rights of this login. Each problem names topic, value and the command that repairs it.
    public PartitionCounts check(TopicRole role) {
        PartitionCounts counts = check();
        refuse(asking(admin -> new TopicSelfCheck(names,
                String.valueOf(properties.getOrDefault("bootstrap.servers", "HOST:9092"))).problems(admin, role)));
        return counts;
    }

    private Set<Topic> createAll(Admin admin, Set<Topic> missing, Map<Topic, Integer> partitions,
            OptionalInt replication) throws InterruptedException, ExecutionException {
        Optional<Short> factor = replication.isPresent()
                ? Optional.of((short) replication.getAsInt())
                : Optional.empty();
        Map<Topic, KafkaFuture<Void>> futures = new EnumMap<>(Topic.class);
        Map<String, KafkaFuture<Void>> byName = admin.createTopics(missing.stream().map(
                topic -> new NewTopic(names.name(topic), Optional.ofNullable(partitions.get(topic)), factor)
                        .configs(topic.config()))
                .toList()).values();
        missing.forEach(topic -> futures.put(topic, byName.get(names.name(topic))));
        Set<Topic> created = EnumSet.noneOf(Topic.class);
        for (var entry : futures.entrySet()) {
            try {
                entry.getValue().get();
                created.add(entry.getKey());
            } catch (ExecutionException e) {
                // Another process created it first, which is fine.
                Throwable cause = causeOf(e);
                if (!(cause instanceof TopicExistsException)) {
                    throw new FleetTopicsException("topic '%s' could not be created at %s: %s".formatted(
                            names.name(entry.getKey()), servers(), oneLine(cause)), cause);
                }
            }
        }
        return created;
    }

    /// Waits until every broker knows the new topics; the controller knows them first.
    private Map<Topic, Integer> awaitVisible(Admin admin) throws InterruptedException, ExecutionException {
        long giveUp = System.nanoTime() + timeout.toNanos();
        while (true) {
            Map<Topic, Integer> visible = describe(admin, EnumSet.allOf(Topic.class));
            if (visible.size() == Topic.values().length)
                return visible;
            if (System.nanoTime() - giveUp > 0) {
                throw new FleetTopicsException("topics were created at %s but did not appear within %s: %s".formatted(
                        servers(), text(timeout), namesOf(topic -> !visible.containsKey(topic))));
            }
            Thread.sleep(50);
        }
    }

    /// Waits until each partition has a leader.
    ///
    /// **Why.** A broker lists a partition before it leads it. Otherwise: it refuses the first batch of an idempotent
    /// producer and takes the second. Then it never takes the first again, and the records of that batch are lost.
    private void awaitLeaders(Admin admin, PartitionCounts counts) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> everyEnd = new HashMap<>();
        for (Topic topic : Topic.values()) {
            for (int partition = 0; partition < counts.of(topic); partition++)
                everyEnd.put(new TopicPartition(names.name(topic), partition), OffsetSpec.latest());
        }
        long giveUp = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                // The client itself waits for leaders, but not for a topic that this broker does not know yet.
                admin.listOffsets(everyEnd).all().get();
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() - giveUp > 0)
                    throw e;
            }
            Thread.sleep(50);
        }
    }

    /// Returns the partition counts of the existing ones of `topics`.
    private Map<Topic, Integer> describe(Admin admin, Collection<Topic> topics)
            throws InterruptedException, ExecutionException {
        Map<String, KafkaFuture<TopicDescription>> futures = admin
                .describeTopics(topics.stream().map(names::name).toList()).topicNameValues();
        Map<Topic, Integer> counts = new EnumMap<>(Topic.class);
        for (Topic topic : topics) {
            KafkaFuture<TopicDescription> future = futures.get(names.name(topic));
            if (future == null)
                continue;
            try {
                counts.put(topic, future.get().partitions().size());
            } catch (ExecutionException e) {
                // The broker's own message does not name the topic.
                if (e.getCause() instanceof TopicAuthorizationException)
                    throw failed(new TopicAuthorizationException(Set.of(names.name(topic))));
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException))
                    throw e;
            }
        }
        return counts;
    }

    private void record(PartitionCounts counts, OptionalInt asked) throws InterruptedException, ExecutionException {
        Optional<FixedCounts> before = recorded().read();
        FixedCounts next = before.map(old -> old.accepting(counts, asked, pendingPartitions))
                .orElseGet(() -> FixedCounts.of(counts));
        refuse(next.problems(counts, names));
        if (before.isEmpty() || !before.get().equals(next))
            recorded().write(next);
    }

    private void refuseChanged(PartitionCounts counts) {
        Optional<FixedCounts> before = recorded().read();
        if (before.isEmpty())
            LOG.info("no partition count recorded: the present one is used; topic={} partitions={}",
                    names.name(Topic.RESOURCE), counts.groupA());
        before.ifPresent(recorded -> refuse(recorded.problems(counts, names)));
    }

    private RecordedCounts recorded() {
        return new RecordedCounts(names.name(Topic.RESOURCE), properties, timeout);
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty())
            throw new FleetTopicsException(String.join("; ", problems));
    }

    private List<String> namesOf(Predicate<Topic> which) {
        List<String> found = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            if (which.test(topic))
                found.add(names.name(topic));
        }
        return found;
    }

    private interface Question<T> {
        T ask(Admin admin) throws InterruptedException, ExecutionException;
    }

    private <T> T asking(Question<T> question) {
        Map<String, Object> config = new HashMap<>(properties);
        int millis = Math.toIntExact(timeout.toMillis());
        config.put("default.api.timeout.ms", millis);
        config.put("request.timeout.ms", millis);
        try (Admin admin = Admin.create(config)) {
            // Nothing is under way after the answer or the failure.
            try {
                return question.ask(admin);
            } finally {
                admin.close(Duration.ZERO);
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new FleetTopicsException("interrupted while asking " + servers() + " about the fleet's topics", e);
        } catch (ExecutionException e) {
            throw failed(causeOf(e));
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private static Throwable causeOf(ExecutionException e) {
        return e.getCause() == null ? e : e.getCause();
    }

    private FleetTopicsException failed(Throwable cause) {
        return BrokerErrors.explain(cause, servers(), text(timeout));
    }

    private String servers() {
        return "bootstrap.servers=" + properties.getOrDefault("bootstrap.servers", "(not set)");
    }

    static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    static String oneLine(Throwable problem) {
        String message = problem.getMessage();
        return message == null ? problem.getClass().getSimpleName() : message.replaceAll("\\s+", " ");
    }
}
