package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.config.ConfigException;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.owner.GrantOwner;
import dev.toolfleet.oauth.seal.KeySource;
import dev.toolfleet.oauth.server.AuthorizationServers;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.oauth.view.OrderWriter;
import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.streams.StreamsStartException;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.execute.CallTokens;
import dev.toolfleet.worker.guard.IssuedTokens;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Grants of people in a worker: the source of its calls' tokens, and the owner of some partitions' grants. Does nothing in
/// a worker without the fleet's OAuth key.
final class OAuthRoom implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(10);

    private final IssuedTokens issued = new IssuedTokens();
    private final @Nullable Parts parts;
    private volatile boolean closing;

    private record Parts(GrantView view, OrderWriter orders, TokenDesk desk, GrantOwner owner) {}

    private OAuthRoom(WorkerConfig config, Path stateDir, Supplier<FleetResources> resources, InstantSource clock) {
        Secrets secrets = KeySource.of(config.oauth().keyFile(), System.getenv()).load().map(Secrets::new).orElse(null);
        if (secrets == null) {
            parts = null;
            return;
        }
        Map<String, String> kafka = new HashMap<>(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        OAuthApps apps = (bundle, name) -> resources.get().bundle(bundle)
                .flatMap(found -> Optional.ofNullable(found.oauthApps().get(name)))
                .map(spec -> new OAuthApps.App(spec, spec.clientId().in(System.getenv())));
        GrantView view = new GrantView();
        OrderWriter orders = new OrderWriter(secrets, config.topics(), "/toolfleet/worker/" + config.identity().name(),
                kafka);
        parts = new Parts(view, orders, new TokenDesk(apps, secrets, view, orders::write, issued::add, clock),
                new GrantOwner(new GrantOwner.Setup(config.topics(), config.identity().group() + "-oauth", stateDir,
                        config.folders().completion().replication(), kafka),
                        new GrantRules(secrets, apps, config.oauth().publicUrl()), secrets, apps,
                        new AuthorizationServers(System.getenv(), config.oauth().publicUrl()), clock));
    }

    private OAuthRoom() {
        parts = null;
    }

    /// A worker that has no grants.
    static OAuthRoom none() {
        return new OAuthRoom();
    }

    /// @param stateDir a folder of this worker's own
    /// @param resources the declarations of the moment
    /// @throws ConfigException when the keys cannot be read
    static OAuthRoom of(WorkerConfig config, Path stateDir, Supplier<FleetResources> resources, InstantSource clock) {
        try {
            return new OAuthRoom(config, stateDir, resources, clock);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the tokens that calls of this worker got.
    IssuedTokens issued() {
        return issued;
    }

    /// Returns the source of tokens.
    Optional<TokenDesk> desk() {
        return Optional.ofNullable(parts).map(Parts::desk);
    }

    /// Returns the source of tokens for a Tool.
    ///
    /// @throws ModuleLoadException in a worker without the fleet's OAuth key
    TokenSource tokens(String bundle, ToolSpec spec) {
        return desk().<TokenSource>map(desk -> new CallTokens(desk, bundle, spec)).orElseThrow(
                () -> new ModuleLoadException("Tool/" + spec.name() + " needs tokens of people, and this worker has no"
                        + " OAuth key; set " + KeySource.VARIABLE + " or worker.oauth.keyFile (docs/oauth.md)"));
    }

    /// Follows grants and authorizations. Done when their present ends were read.
    List<CompletableFuture<Void>> follow(WorkerConfig config, PartitionCounts counts, StateFollower follower) {
        List<CompletableFuture<Void>> read = new ArrayList<>();
        if (parts == null)
            return read;
        GrantView view = parts.view();
        for (int i = 0; i < counts.of(Topic.OAUTH_GRANT); i++)
            read.add(follower.follow(new TopicPartition(config.topics().name(Topic.OAUTH_GRANT), i),
                    applying(view::grant)));
        for (int i = 0; i < counts.of(Topic.OAUTH_SESSION); i++)
            read.add(follower.follow(new TopicPartition(config.topics().name(Topic.OAUTH_SESSION), i),
                    applying(view::session)));
        return read;
    }

    private interface Apply {
        void record(String key, byte @Nullable [] value);
    }

    private static TopicView applying(Apply apply) {
        return new TopicView() {
            @Override
            public void apply(int partition, String key, byte @Nullable [] value, long time) {
                apply.record(key, value);
            }

            @Override
            public void forget(int partition) {
                // Followed as long as the worker runs.
            }
        };
    }

    /// Begins to own grants; returns at once.
    ///
    /// @param broken told when it cannot go on, and that this worker should end
    void start(Consumer<RuntimeException> broken) {
        if (parts == null)
            return;
        GrantOwner owner = parts.owner();
        var _ = owner.stopped().whenComplete((none, problem) -> {
            if (problem != null)
                broken.accept(new IllegalStateException("the owner of grants cannot go on", problem));
        });
        Thread.ofVirtual().name("oauth-start").start(() -> {
            try {
                owner.start(START);
            } catch (StreamsStartException e) {
                if (!closing)
                    broken.accept(e);
            }
        });
    }

    @Override
    public void close() {
        closing = true;
        if (parts == null)
            return;
        parts.owner().close();
        parts.orders().close();
    }
}
