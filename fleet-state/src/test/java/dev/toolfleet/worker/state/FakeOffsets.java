package dev.toolfleet.worker.state;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Offsets and group members of a broker in memory, as an Admin client answers them. A partition that was not put here
/// is unknown. Thread-safe.
public final class FakeOffsets {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /// A partition.
    ///
    /// @param committed the end of what can be read committed
    /// @param end behind open transactions
    /// @param times the first offset of each append time, in epoch milliseconds
    public record Log(long beginning, long committed, long end, NavigableMap<Long, Long> times) {
        /// Creates a partition without records, for tests of its times.
        public Log(long beginning, long committed, long end) {
            this(beginning, committed, end, new TreeMap<>());
        }
    }

    private final Map<TopicPartition, Log> logs = new ConcurrentHashMap<>();
    private volatile Set<String> members = Set.of();
    private volatile @Nullable KafkaException refusal;

    /// A broker without topics and members.
    public FakeOffsets() {}

    /// Puts a partition here.
    public void put(TopicPartition partition, Log log) {
        logs.put(partition, log);
    }

    /// Sets the member ids of every group.
    public void members(String... ids) {
        members = Set.of(ids);
    }

    /// Every later question fails.
    public void refuse(KafkaException with) {
        refusal = with;
    }

    /// Questions about offsets.
    public TopicOffsets offsets() {
        return new TopicOffsets(admin(), TIMEOUT);
    }

    /// Questions about the members of a group; no answer is kept.
    public GroupMembers group() {
        return new GroupMembers(admin(), "fleet", Duration.ZERO, TIMEOUT);
    }

    private Admin admin() {
        return (Admin) Proxy.newProxyInstance(Admin.class.getClassLoader(), new Class<?>[]{Admin.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "listOffsets" -> list(asked(args[0]), ((ListOffsetsOptions) args[1]).isolationLevel());
                    case "describeConsumerGroups" ->
                        describe(String.valueOf(((Collection<?>) args[0]).iterator().next()));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @SuppressWarnings("unchecked")
    private static Map<TopicPartition, OffsetSpec> asked(Object argument) {
        return (Map<TopicPartition, OffsetSpec>) argument;
    }

    private ListOffsetsResult list(Map<TopicPartition, OffsetSpec> asked, IsolationLevel level) {
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
        asked.forEach((partition, spec) -> answers.put(partition, offset(partition, spec, level)));
        return new ListOffsetsResult(answers);
    }

    private KafkaFuture<ListOffsetsResultInfo> offset(TopicPartition partition, OffsetSpec spec, IsolationLevel level) {
        Log log = logs.get(partition);
        if (log == null && refusal == null) {
            KafkaFutureImpl<ListOffsetsResultInfo> unknown = new KafkaFutureImpl<>();
            unknown.completeExceptionally(new UnknownTopicOrPartitionException(partition.toString()));
            return unknown;
        }
        return answer(log == null || refusal != null
                ? null
                : info(log, spec, level));
    }

    private static ListOffsetsResultInfo info(Log log, OffsetSpec spec, IsolationLevel level) {
        Map.Entry<Long, Long> newest = log.times().lastEntry();
        if (spec instanceof OffsetSpec.MaxTimestampSpec) {
            return newest == null
                    ? new ListOffsetsResultInfo(-1, -1, Optional.empty())
                    : new ListOffsetsResultInfo(newest.getValue(), newest.getKey(), Optional.empty());
        }
        return new ListOffsetsResultInfo(offset(log, spec, level), -1, Optional.empty());
    }

    private static long offset(Log log, OffsetSpec spec, IsolationLevel level) {
        if (spec instanceof OffsetSpec.EarliestSpec)
            return log.beginning();
        if (spec instanceof OffsetSpec.TimestampSpec) {
            Map.Entry<Long, Long> first = log.times().ceilingEntry(time(spec));
            return first == null ? -1 : first.getValue();
        }
        return level == IsolationLevel.READ_COMMITTED ? log.committed() : log.end();
    }

    /// Kafka shows the time to its own package alone.
    private static long time(OffsetSpec spec) {
        try {
            Method time = spec.getClass().getDeclaredMethod("timestamp");
            time.setAccessible(true);
            return (long) requireNonNull(time.invoke(spec));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private DescribeConsumerGroupsResult describe(String group) {
        List<MemberDescription> all = members.stream().map(id -> new MemberDescription(id, Optional.empty(),
                Optional.empty(), "worker", "host", new MemberAssignment(Set.of()), Optional.empty(), Optional.empty(),
                Optional.empty())).collect(Collectors.toList());
        return new DescribeConsumerGroupsResult(Map.of(group, answer(refusal == null
                ? new ConsumerGroupDescription(group, false, all, "range", GroupType.CLASSIC, GroupState.STABLE,
                        Node.noNode(), Set.of(), Optional.empty(), Optional.empty())
                : null)));
    }

    private <T> KafkaFuture<T> answer(@Nullable T value) {
        KafkaFutureImpl<T> answer = new KafkaFutureImpl<>();
        if (value == null) {
            answer.completeExceptionally(requireNonNull(refusal));
        } else {
            answer.complete(value);
        }
        return answer;
    }
}
