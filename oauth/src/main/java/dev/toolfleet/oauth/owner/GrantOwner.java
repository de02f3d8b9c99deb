package dev.toolfleet.oauth.owner;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.server.AuthorizationServers;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Owner of the grants of some partitions, in a worker's process. Owners of one application share them.
///
/// **Threads.** Started and closed once, from any thread.
public final class GrantOwner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrantOwner.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final RequestRoom room = new RequestRoom();
    private final StreamsRun run;

    /// Settings of an owner.
    ///
    /// @param applicationId the same for all owners of a fleet
    /// @param stateDir a folder of this process's own, whose content may be lost
    /// @param replication copies of its state in Kafka; -1 for the brokers' default
    /// @param kafka client properties, `bootstrap.servers` among them
    public record Setup(Topics topics, String applicationId, Path stateDir, int replication,
            Map<String, String> kafka) {
        /// Copies the properties.
        public Setup {
            kafka = Map.copyOf(kafka);
        }
    }

    /// Makes an owner that is not started yet.
    ///
    /// @param apps the declarations of the moment
    /// @param servers makes the requests
    public GrantOwner(Setup setup, GrantRules rules, Secrets secrets, OAuthApps apps,
            AuthorizationServers servers, InstantSource clock) {
        this.run = new StreamsRun("the owner of grants", OwnerTopology.of(setup.topics(), rules, secrets,
                request -> apps.find(request.bundle(), request.app())
                        .map(app -> servers.send(app.spec(), request))
                        .orElseGet(() -> new ServerReply.Unavailable("bundle '" + request.bundle()
                                + "' has no OAuthApp '" + request.app() + "'")),
                room, clock),
                new StreamsSettings(setup.applicationId(), setup.stateDir(), setup.replication(),
                        setup.kafka()));
    }

    /// Joins the group and returns when orders are being carried out.
    ///
    /// @throws dev.toolfleet.streams.StreamsStartException when that takes longer
    public void start(Duration timeout) {
        run.start(timeout);
    }

    /// True if orders are being carried out now.
    public boolean isRunning() {
        return run.isRunning();
    }

    /// Completes when the owner has stopped: exceptionally when its process should end.
    public CompletableFuture<Void> stopped() {
        return run.stopped();
    }

    /// Waits up to ten seconds for the answers of authorization servers, and leaves the group. The next owner makes the
    /// requests again that have no answer then.
    @Override
    public void close() {
        if (run.isRunning() && !room.drain(DRAIN))
            LOG.warn("requests to authorization servers are left to the next owner");
        run.close();
    }
}
