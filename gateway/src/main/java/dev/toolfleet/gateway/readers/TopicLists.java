package dev.toolfleet.gateway.readers;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.client.letter.LetterTopic;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists of the fleet, read from its topics with the readers of the commands.
///
/// **Contract.** Two lists are read at a time; a third is refused with a reason that ends by itself. Otherwise: a client
/// that reads lists in a loop takes the broker and the memory that calls need.
public final class TopicLists implements FleetLists, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicLists.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration READ_WITHIN = Duration.ofMinutes(1);
    private static final int AT_ONCE = 2;

    private final ClientConfig config;
    private final ResourceLoop resources;
    private final Optional<ServiceReader> catalogs;
    private final Optional<ServiceReader> sessions;
    private final Semaphore reads = new Semaphore(AT_ONCE);

    /// Makes lists that are not started yet.
    ///
    /// @param trust decides whose bundles are shown, as in the workers
    /// @param services the services whose views are shown
    public TopicLists(ClientConfig config, BundleTrust trust, ServiceAddresses services) {
        this.config = config.named(config.name() + "-lists");
        this.resources = new ResourceLoop(config.properties(), config.topics().name(Topic.RESOURCE), trust);
        this.catalogs = services.catalogs().map(ServiceReader::new);
        this.sessions = services.sessions().map(ServiceReader::new);
    }

    /// Reads the declarations, and follows them from then on.
    ///
    /// @throws IllegalStateException with one line for a person, when they cannot be read
    public void start() {
        resources.start(READ_WITHIN);
    }

    @Override
    public FleetResources resources() {
        return resources.resources();
    }

    @Override
    public InstanceViews views() {
        return (view, instanceKey, agent, parameters, ifNoneMatch) -> (view.isOfSessions() ? sessions : catalogs)
                .<InstanceViews>map(services -> services).orElse(InstanceViews.NONE)
                .read(view, instanceKey, agent, parameters, ifNoneMatch);
    }

    @Override
    public Answer<List<OpenApproval>> approvals(Predicate<OpenApproval> wanted) {
        return read(Topic.PENDING, () -> {
            try (HandleReader reader = HandleReader.open(config, TopicScan.Gauge.SILENT)) {
                return reader.approvals(OpenApproval::kept).stream().map(OpenApproval::ofKept).filter(wanted).toList();
            }
        });
    }

    @Override
    public Answer<ErrorPage> errors(ErrorFilter filter, @Nullable TopicPosition after, int limit) {
        return read(Topic.ERROR, () -> {
            try (TopicScan scan = TopicScan.open(config.properties(), SILENCE, TopicScan.Gauge.SILENT)) {
                return new ErrorRead(filter, limit).page(scan, config.topics().name(Topic.ERROR), after);
            }
        });
    }

    @Override
    public Answer<LetterPage> letters(LetterFilter filter, boolean all, int limit) {
        return read(Topic.DEAD_LETTER, () -> {
            Map<String, Object> properties = new HashMap<>(config.properties());
            try (LetterTopic topic = new LetterTopic(properties, config.topics().name(Topic.DEAD_LETTER),
                    TopicScan.Gauge.SILENT)) {
                LetterTopic.Found found = topic.letters(filter, config.topics().prefix());
                List<Letter> letters = found.letters().stream().filter(letter -> all || letter.fate().isEmpty())
                        .sorted(Comparator.comparing(Letter::at).thenComparing(Letter::address).reversed()).toList();
                List<Letter> newest = letters.subList(0, Math.min(limit, letters.size()));
                return new LetterPage(newest, letters.size() - newest.size() + found.forgotten());
            }
        });
    }

    private <T> Answer<T> read(Topic topic, Supplier<T> read) {
        if (!reads.tryAcquire())
            return new Answer.Unavailable<>("it reads " + AT_ONCE + " other lists of the fleet at this moment");
        try {
            return new Answer.Found<>(read.get());
        } catch (KafkaException | FleetTopicsException e) {
            String name = config.topics().name(topic);
            LOG.atWarn().addKeyValue(ListLogKeys.TOPIC, name).addKeyValue(ListLogKeys.REASON, e.getMessage())
                    .log("list cannot be read");
            return new Answer.Unavailable<>(name + " cannot be read; the log of the gateway has the reason");
        } finally {
            reads.release();
        }
    }

    /// Ends the following of declarations. Closing again does nothing.
    @Override
    public void close() {
        catalogs.ifPresent(ServiceReader::close);
        sessions.ifPresent(ServiceReader::close);
        resources.close();
    }
}
