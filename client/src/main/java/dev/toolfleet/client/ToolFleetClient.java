package dev.toolfleet.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Client of an agent runtime: announces steps and receives their catalogs, calls tools and receives their results.
///
/// **Contract.** The client reads the partitions of `tool.result` on which its calls landed, without a consumer group;
/// so clients share no results. It reads with `read_committed`, so it sees only results that count. In memory it keeps
/// open calls and contents of catalogs, and nothing else.
///
/// **Threads.** Thread-safe, for any number of threads; one client per process is enough. Methods that send may block
/// up to `brokerTimeout` while the broker does not answer. Stages complete and listeners run on virtual threads.
public final class ToolFleetClient implements AutoCloseable {
    private final ClientConfig config;
    private final ClientPosition start;
    private final ExecutorService threads;
    private final Timeouts timeouts;
    private final EndOffsets.Source ends;
    private final FollowLoop loop;
    private final RecordSender sender;
    private final ResultReader results;
    private final Subscriptions subscriptions;
    private final Calls calls;
    private final StepClient steps;
    private final HandleQuestions handles;
    private final AtomicBoolean closed = new AtomicBoolean();
    // The reason why the client no longer reads; empty while it reads.
    private volatile String broken = "";

    ToolFleetClient(ClientConfig config, ClientPosition start, int partitions,
            Producer<byte[], byte[]> producer, Consumer<byte[], byte[]> consumer,
            EndOffsets.Source ends) {
        this.config = config;
        this.ends = ends;
        this.start = start;
        String name = "toolfleet-client-" + config.name();
        InstantSource clock = InstantSource.system();
        threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(listenerThreads(config), 0).factory());
        timeouts = new Timeouts(name + "-timeouts");
        loop = new FollowLoop(consumer, name + "-reader", new Arrivals());
        sender = new RecordSender(producer, config.topics(), config.name(), clock, new SecureRandom());
        subscriptions = new Subscriptions(threads);
        String resultTopic = config.topics().name(Topic.RESULT);
        results = new ResultReader(resultTopic, loop,
                new EndOffsets(ends, resultTopic, partitions, config.brokerTimeout()), start, subscriptions);
        calls = new Calls(config, sender, results, timeouts, clock, threads);
        steps = new StepClient(config, sender, loop, new EndOffsets(ends, config.topics().name(Topic.CATALOG_STEP),
                partitions, config.brokerTimeout()), timeouts, threads);
        handles = new HandleQuestions(() -> HandleReader.open(config, TopicScan.Gauge.SILENT), threads);
        loop.start();
    }

    /// Opens a client that starts now.
    ///
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or its topics are not
    ///         the fleet's
    /// @throws KafkaException when a property of the producer or consumer is not valid
    public static ToolFleetClient open(ClientConfig config) {
        return open(config, ClientPosition.NONE);
    }

    /// Opens a client that continues an earlier one: it may [#await] the results of calls that the earlier one sent.
    ///
    /// @param position of the earlier client: the oldest one stored since the sending of a call that still matters
    public static ToolFleetClient open(ClientConfig config, ClientPosition position) {
        int partitions = new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.CALL, Topic.RESULT, Topic.STEP, Topic.CATALOG_STEP, Topic.CATALOG_CONTENT))
                .groupA();
        Producer<byte[], byte[]> producer = new KafkaProducer<>(KafkaProperties.producer(config),
                new ByteArraySerializer(), new ByteArraySerializer());
        AdminEnds ends = null;
        try {
            ends = new AdminEnds(Admin.create(KafkaProperties.admin(config)));
            return new ToolFleetClient(config, position, partitions, producer,
                    new KafkaConsumer<>(KafkaProperties.consumer(config), new ByteArrayDeserializer(),
                            new ByteArrayDeserializer()),
                    ends);
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            if (ends != null)
                ends.close();
            throw e;
        }
    }

    /// Announces a step. The stage completes with the tools that its model may see and call, or fails when none are
    /// published within `stepTimeout`.
    public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        RequestChecks.checkInstance(step.instanceKey());
        checkOpen();
        CompletionStage<StepCatalogView> view = steps.begin(step);
        endIfOver();
        return view;
    }

    /// Announces the end of a step. The stage completes when the broker has it.
    public CompletionStage<Void> endStep(StepEnded step) {
        RequestChecks.checkInstance(step.instanceKey());
        checkOpen();
        return steps.end(step);
    }

    /// Sends a call, with the client's timeouts.
    public CallHandle call(ToolCall call) {
        return call(call, CallOptions.DEFAULT);
    }

    /// Sends a call. Calls of one instance that are sent one after the other arrive in that order.
    ///
    /// @throws IllegalArgumentException when the call names no instance, tool or id, its instanceKey is longer than
    /// [ToolCall#MAX_INSTANCE_KEY], or its idempotencyKey is none
    public CallHandle call(ToolCall call, CallOptions options) {
        RequestChecks.check(call);
        checkOpen();
        CallHandle handle = calls.call(call, options);
        endIfOver();
        return handle;
    }

    /// Waits for the results of a call that an earlier client sent, from the position with which this one was opened.
    ///
    /// @param identity from [SentCall], or made of a call in a step or with an idempotencyKey with
    /// [CallIdentity#of]
    /// @param timeout until the final result
    public CallHandle await(CallIdentity identity, Duration timeout) {
        checkOpen();
        CallHandle handle = calls.await(identity, start, timeout);
        endIfOver();
        return handle;
    }

    /// Returns the state of a handle: its call, the last progress of the work, or the call's end. It reads the fleet's
    /// topics, so do not call it in a loop ([HandleReader] has the costs). Questions are answered one after the other.
    /// Fails with reason `TIMEOUT` when the topics cannot be read.
    public CompletionStage<HandleState> handle(String handle) {
        checkOpen();
        CompletionStage<HandleState> answer = handles.ask(handle);
        endIfOver();
        return answer;
    }

    /// Cancels calls: queued ones end unstarted, running ones are interrupted, the work of pending ones is notified,
    /// and all end with `E_TOOL_CANCELLED`. A call that has ended stays as it is. The stage completes when the broker
    /// has the record; the effect shows in the calls' results.
    ///
    /// @throws IllegalArgumentException when it names no call, step or handle
    public CompletionStage<Void> cancel(CancelCall cancel) {
        RequestChecks.checkInstance(cancel.instanceKey());
        checkOpen();
        return calls.cancel(cancel);
    }

    /// Subscribes to every result of an instance from now on, of all callers. Reads all partitions, since the calls of
    /// that instance may land on any.
    public Subscription subscribe(String instanceKey, ResultListener listener) {
        return subscribe(instanceKey, ClientPosition.NONE, listener);
    }

    /// Subscribes to every result of an instance from `position` on, and from now on in partitions that it does not
    /// name.
    public Subscription subscribe(String instanceKey, ClientPosition position, ResultListener listener) {
        RequestChecks.checkInstance(instanceKey);
        checkOpen();
        return results.subscribe(instanceKey, position, listener);
    }

    /// Returns the position from which a later client must read so that it misses no result of the calls that are open
    /// now. Store it, with the open calls' identities, once [CallHandle#sent] has completed.
    public ClientPosition position() {
        return results.position();
    }

    /// Closes within about `brokerTimeout`.
    @Override
    public void close() {
        close(config.brokerTimeout());
    }

    /// Waits for records under way, fails every open stage with reason `CLOSED`, and ends the client's threads, all
    /// within about `timeout`; listeners that are running then run to their end. Open calls go on in the fleet. Closing
    /// again does nothing.
    public void close(Duration timeout) {
        if (!closed.compareAndSet(false, true))
            return;
        Duration half = timeout.dividedBy(2);
        sender.close(half);
        timeouts.close();
        ends.close();
        loop.close(half);
        endIfOver();
        subscriptions.end(closedWhile("this listener was subscribed"));
        threads.shutdown();
        awaitListeners(half);
    }

    private void awaitListeners(Duration timeout) {
        // A listener that closes the client would wait for itself.
        if (Thread.currentThread().getName().startsWith(listenerThreads(config)))
            return;
        try {
            threads.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String listenerThreads(ClientConfig config) {
        return "toolfleet-client-" + config.name() + "-listener-";
    }

    private void endIfOver() {
        if (closed.get()) {
            calls.failAll(call -> closedWhile(call + " was open"));
            steps.failAll(step -> closedWhile(step + " waited for its catalog"));
            handles.failAll(this::closedWhile);
        } else if (!broken.isEmpty()) {
            calls.failAll(call -> brokenWhile(call + " was open"));
            steps.failAll(step -> brokenWhile(step + " waited for its catalog"));
        }
    }

    private ToolFleetClientException closedWhile(String what) {
        return new ToolFleetClientException(Reason.CLOSED, "client '" + config.name() + "' was closed while " + what
                + "; open calls go on, and a client opened at this one's position can await them", null);
    }

    private ToolFleetClientException brokenWhile(String what) {
        return new ToolFleetClientException(Reason.CLOSED,
                broken + " while " + what + "; what was sent goes on, and can"
                        + " be awaited by a client opened at this one's position",
                null);
    }

    private void checkOpen() {
        if (!broken.isEmpty() && !closed.get())
            throw new IllegalStateException(broken + "; close it and open another at its position");
        if (closed.get())
            throw new IllegalStateException("client '" + config.name() + "' is closed");
    }

    /// Receives the records of the reading thread.
    private final class Arrivals implements FollowLoop.Sink {
        @Override
        public void accept(ConsumerRecord<byte[], byte[]> record) {
            String topic = record.topic();
            if (topic.equals(config.topics().name(Topic.RESULT)))
                results.accept(record);
            else if (topic.equals(config.topics().name(Topic.CATALOG_STEP)))
                steps.acceptCatalog(record);
            else
                steps.acceptContent(record);
        }

        @Override
        public void broke(Throwable cause) {
            broken = "client '" + config.name() + "' can read no more, its reading thread ended with " + cause;
            endIfOver();
            subscriptions.end(brokenWhile("this listener was subscribed"));
        }
    }
}
