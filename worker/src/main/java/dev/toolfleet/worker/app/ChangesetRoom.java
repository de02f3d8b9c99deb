package dev.toolfleet.worker.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.changeset.Changesets;
import dev.toolfleet.publishing.changeset.SwarmBundleModule;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitRepository;
import dev.toolfleet.resources.BundleKeys;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topic;

/// Changesets of one worker, if it has a repository for them.
final class ChangesetRoom implements AutoCloseable {
    private final Optional<Changesets> changesets;
    private final Supplier<FleetResources> resources;

    private ChangesetRoom(Optional<Changesets> changesets, Supplier<FleetResources> resources) {
        this.changesets = changesets;
        this.resources = resources;
    }

    /// A worker without a repository.
    static ChangesetRoom none() {
        return new ChangesetRoom(Optional.empty(), () -> FleetResources.EMPTY);
    }

    /// @param resources the declarations of the moment
    /// @throws ConfigException when the signing key cannot be read
    static ChangesetRoom of(WorkerConfig config, Supplier<FleetResources> resources, InstantSource clock) {
        GitConfig git = config.code().git();
        if (git.changesets().isEmpty())
            return new ChangesetRoom(Optional.empty(), resources);
        Map<String, Object> kafka = new HashMap<>(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        Changesets.Setup setup = new Changesets.Setup(resources,
                new BundlePublisher(config.topics().name(Topic.RESOURCE), kafka, clock),
                git.signingKey().map(ChangesetRoom::signer).orElse(null), config.folders().trust().demandsSignatures(),
                config.topics().name(Topic.AGENT_EVENT), clock);
        return new ChangesetRoom(Optional.of(new Changesets(setup, repository(git, git.changesets().get()))),
                resources);
    }

    private static GitRepository repository(GitConfig git, GitAddress address) {
        try {
            return GitRepository.open(address, git.credentials());
        } catch (IOException e) {
            throw new UncheckedIOException("there is no room for a copy of " + address, e);
        }
    }

    private static BundleSigner signer(Path key) {
        try {
            return new BundleSigner(BundleKeys.privateKey(key));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("worker.changesets.signingKey", key.toString(),
                    "a file with a private key, as toolfleet key new makes it (" + e + ")");
        }
    }

    /// Makes the module of the Tool `swarm-bundle`.
    ToolModule module() {
        return new SwarmBundleModule(changesets, resources);
    }

    @Override
    public void close() {
        changesets.ifPresent(Changesets::close);
    }
}
