package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.commit.CommitConfig;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.recovery.Replays;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.state.RangeReader;
import dev.toolfleet.worker.state.RecordReader;
import dev.toolfleet.worker.state.SpareConsumers;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicLeaders;
import dev.toolfleet.worker.state.TopicOffsets;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// A worker's membership in its group: the parts that exist before those which run calls. [PartitionLoops] starts the
/// loops among them.
public final class Membership implements AutoCloseable {
    /// Longest time of a request to the brokers.
    public static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);
    /// Time that take-overs wait for an earlier owner's open transaction before they look whether that owner is dead.
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final int STALLS = 4;
    /// The most duplicates that read their earlier results side by side.
    private static final int REPLAYS = 2;
    private static final Duration MEMBERS_KEPT = Duration.ofMillis(500);

    private final KafkaClients clients;
    final Topics topics;
    final MemberIdentity self;
    final PartitionStates states;
    final PartitionWatch watch;
    final PollLink link;
    final Consumer<byte[], byte[]> member;
    final HeartbeatLoop heartbeats;
    final GroupMembers members;
    final GroupOffsets offsets;
    final DeadWorkers dead;
    final RangeReader scan;
    private final Admin admin;
    private final SpareConsumers offsetReaders;
    private final SpareConsumers scanReaders;
    private final StateFollower follower;
    private final Ownership ownership;
    private final TransactionLoop transactions;
    private final TopicOffsets ends;

    /// Makes the clients; joins nothing yet.
    public Membership(KafkaClients clients, Topics topics, MemberIdentity self, PartitionStates states,
            WorkerMeters meters) {
        this.clients = clients;
        this.topics = topics;
        this.self = self;
        this.states = states;
        watch = new PartitionWatch(meters, System::nanoTime);
        link = new PollLink(states, watch, meters.load());
        admin = clients.admin();
        offsetReaders = new SpareConsumers(clients::offsetReader);
        scanReaders = new SpareConsumers(clients::scanReader);
        follower = clients.stateFollower(admin, ADMIN_TIMEOUT, link::failed);
        JoinTrackingAssignor.JoinState joins = new JoinTrackingAssignor.JoinState();
        member = clients.groupMember(joins);
        HeartbeatLease lease = clients.lease();
        ownership = new Ownership(member.groupMetadata(), lease);
        heartbeats = new HeartbeatLoop(member, lease, ownership, joins::isJoining);
        members = new GroupMembers(admin, self.group(), MEMBERS_KEPT, ADMIN_TIMEOUT);
        offsets = new GroupOffsets(offsetReaders, callTopic(), resumedTopic(), AdaptiveTimeout.from(PATIENCE));
        transactions = new TransactionLoop(CommitConfig.of(callTopic(), resumedTopic()), ownership,
                clients::transactional, offsets::committed, new TopicLeaders(admin)::reachable, link, System::nanoTime);
        ends = new TopicOffsets(admin, ADMIN_TIMEOUT);
        dead = new DeadWorkers(admin, members, self.group(), self.name(), ADMIN_TIMEOUT);
        scan = new RangeReader(scanReaders, PATIENCE, STALLS);
    }

    String callTopic() {
        return topics.name(Topic.CALL);
    }

    String resumedTopic() {
        return topics.name(Topic.CALL_RESUMED);
    }

    ResumedLoop resumed(ResumedListener listener) {
        return new ResumedLoop(resumedTopic(), clients.resumedReader(), listener, link::failed);
    }

    Incarnations incarnations() {
        return new Incarnations(admin, callTopic(), resumedTopic(), ADMIN_TIMEOUT);
    }

    /// Returns the client for requests to the brokers.
    public Admin admin() {
        return admin;
    }

    /// Returns the follower of state topics.
    public StateFollower follower() {
        return follower;
    }

    /// Returns the partitions that this worker owns.
    public Ownership ownership() {
        return ownership;
    }

    /// Returns the loop that publishes in transactions.
    public TransactionLoop transactions() {
        return transactions;
    }

    /// Returns the reader of topics' ends.
    public TopicOffsets ends() {
        return ends;
    }

    /// Returns the sender of journal records.
    public IntentJournal.Notes notes() {
        return new TransactionNotes(transactions);
    }

    /// Makes the part that follows the topics of assigned partitions.
    public PartitionTopics followed(StepCatalogs steps) {
        return new PartitionTopics(topics, follower, steps, new HandOvers());
    }

    /// Makes the reader of earlier results.
    public Replays.Results results() {
        RecordReader results = new RecordReader(scan, REPLAYS);
        return (partition, offset) -> results.read(
                new TopicPartition(topics.name(Topic.RESULT), partition), offset);
    }

    /// Makes the reader of earlier owners' words.
    public Recovery.EarlierOwners earlierOwners(PartitionTopics followed) {
        return new Predecessors(members, followed, ends, dead::fence);
    }

    /// Sends journal records through the transaction loop.
    private record TransactionNotes(TransactionLoop transactions) implements IntentJournal.Notes {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            return transactions.note(position, record);
        }

        @Override
        public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
            return transactions.note(position, record);
        }

        @Override
        public void handOver(ProducerRecord<byte[], byte[]> record) {
            transactions.publish(record);
        }
    }

    /// Closes the clients, after the loops.
    @Override
    public void close() {
        follower.close();
        offsetReaders.close();
        scanReaders.close();
        admin.close(ADMIN_TIMEOUT);
    }
}
