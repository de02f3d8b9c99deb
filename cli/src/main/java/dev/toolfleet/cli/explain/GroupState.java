package dev.toolfleet.cli.explain;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.commit.DoneOffsets;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/// State of the workers' group at the brokers: its members, their partitions, and the finished calls.
///
/// @param id of the group
/// @param done by partition of `tool.call`
public record GroupState(String id, List<Member> members, Map<Integer, DoneOffsets> done) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String POLL = "-poll";

    /// A worker.
    ///
    /// @param memberId of its membership
    /// @param host from which it speaks to the brokers
    /// @param partitions of `tool.call` that it has
    public record Member(String worker, String memberId, String host, Set<Integer> partitions) {}

    /// Copies the members.
    public GroupState {
        members = List.copyOf(members);
    }

    /// Returns the group's id by the configuration.
    public static String id(FleetConfig fleet) {
        return fleet.worker().section("group").text("id", fleet.topics().prefix() + "toolfleet");
    }

    /// Reads the state at the brokers.
    ///
    /// @throws KafkaException when the brokers do not answer
    public static GroupState of(FleetConfig fleet) throws InterruptedException {
        String id = id(fleet);
        String calls = fleet.topics().topics().name(Topic.CALL);
        try (Admin admin = Admin.create(fleet.kafka().clientProperties())) {
            ConsumerGroupDescription group = described(admin, id);
            List<Member> members = group == null
                    ? List.of()
                    : group.members().stream().map(member -> member(member, calls)).toList();
            Map<Integer, DoneOffsets> done = new HashMap<>();
            Map<TopicPartition, OffsetAndMetadata> offsets = group == null
                    ? Map.of()
                    : get(admin.listConsumerGroupOffsets(id).partitionsToOffsetAndMetadata());
            offsets.forEach((partition, at) -> {
                // Kafka maps to null what has no offset.
                if (at != null && partition.topic().equals(calls))
                    done.put(partition.partition(), DoneOffsets.decode(at.offset(), at.metadata()));
            });
            return new GroupState(id, members, done);
        }
    }

    private static @Nullable ConsumerGroupDescription described(Admin admin, String id) throws InterruptedException {
        try {
            return get(admin.describeConsumerGroups(List.of(id)).all()).get(id);
        } catch (GroupIdNotFoundException e) {
            return null;
        }
    }

    private static Member member(MemberDescription member, String calls) {
        String client = member.clientId();
        Set<Integer> partitions = new HashSet<>();
        for (TopicPartition partition : member.assignment().topicPartitions()) {
            if (partition.topic().equals(calls))
                partitions.add(partition.partition());
        }
        return new Member(client.endsWith(POLL) ? client.substring(0, client.length() - POLL.length()) : client,
                member.consumerId(), member.host().replaceFirst("^/", ""), partitions);
    }

    private static <T> T get(KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("the brokers did not answer in time", e);
        }
    }

    boolean isDone(int partition, long offset) {
        DoneOffsets known = done.get(partition);
        return known != null && known.isDone(offset);
    }

    /// Returns the finished offsets of a partition whose log begins there.
    public DoneOffsets done(int partition, long beginning) {
        return done.getOrDefault(partition, DoneOffsets.from(beginning)).since(beginning);
    }

    /// The lowest unfinished offset; 0 when nothing was committed.
    long frontier(int partition) {
        DoneOffsets known = done.get(partition);
        return known == null ? 0 : known.frontier();
    }

    boolean hasMember(@Nullable String memberId) {
        return members.stream().anyMatch(member -> member.memberId().equals(memberId));
    }

    CallSnapshot.Group about(RecordedCall call) {
        Optional<String> owner = members.stream().filter(member -> member.partitions().contains(call.partition()))
                .map(Member::worker).findFirst();
        return new CallSnapshot.Group(id, members.size(), owner, isDone(call.partition(), call.offset()));
    }
}
