package dev.toolfleet.oauth.view;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reader of grants and authorizations for processes that run no calls.
///
/// **Contract.** [#start] returns once the topics have been read to the ends that they had. A connection that breaks is
/// made anew; records that are read again change nothing.
///
/// **Threads.** Its thread owns the consumer.
public final class GrantReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrantReader.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration BACK_OFF = Duration.ofSeconds(1);

    private final Map<String, String> kafka;
    private final List<String> topics;
    private final String sessions;
    private final GrantView view;
    private final Thread thread = Thread.ofPlatform().daemon().name("oauth-reader").unstarted(this::run);
    private final CountDownLatch read = new CountDownLatch(1);
    private volatile @Nullable TopicScan scan;
    private volatile boolean closed;

    /// @param kafka client properties, `bootstrap.servers` among them
    /// @param followed `oauth.session`, `oauth.grant` or both: a process reads those that its role may read
    public GrantReader(Topics topics, Map<String, String> kafka, GrantView view, Set<Topic> followed) {
        this.kafka = Map.copyOf(kafka);
        this.topics = followed.stream().map(topics::name).sorted().toList();
        this.sessions = topics.name(Topic.OAUTH_SESSION);
        this.view = view;
    }

    /// Starts to follow, and waits until the topics have been read.
    ///
    /// @throws IllegalStateException with one line for a person, when they have not been read in time
    public void start(Duration within) {
        thread.start();
        try {
            if (read.await(within.toMillis(), TimeUnit.MILLISECONDS))
                return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        throw new IllegalStateException(String.join(" and ", topics) + " could not be read to the end within "
                + within.toSeconds() + " s; see that the broker can be reached, and that this process may read them");
    }

    private void run() {
        while (!closed) {
            try (TopicScan opened = TopicScan.follower(kafka, SILENCE)) {
                scan = opened;
                follow(opened);
            } catch (RuntimeException e) {
                // Otherwise: the thread ends, and the view stays as it is for ever.
                pause(e);
            } finally {
                scan = null;
            }
        }
    }

    private void follow(TopicScan opened) {
        List<TopicPartition> partitions = topics.stream().flatMap(topic -> opened.partitions(topic).stream()).toList();
        Map<TopicPartition, Long> ends = opened.ends(partitions);
        opened.follow(opened.beginnings(partitions));
        while (!closed) {
            opened.poll(POLL).forEach(this::apply);
            if (read.getCount() > 0 && opened.isAt(ends))
                read.countDown();
        }
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null)
            return;
        String key = new String(record.key(), StandardCharsets.UTF_8);
        try {
            if (record.topic().equals(sessions))
                view.session(key, record.value());
            else
                view.grant(key, record.value());
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue("offset", record.offset())
                    .log("record left out: it is none of its topic");
        }
    }

    private void pause(RuntimeException broken) {
        if (closed)
            return;
        LOG.atWarn().addKeyValue("reason", String.valueOf(broken.getMessage()))
                .log("grants cannot be followed, trying again");
        try {
            Thread.sleep(BACK_OFF);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /// Ends the loop, within some seconds. Closing again does nothing.
    @Override
    public void close() {
        closed = true;
        TopicScan running = scan;
        if (running != null)
            running.stop();
        if (thread.getState() == Thread.State.NEW)
            return;
        try {
            var _ = thread.join(SILENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
