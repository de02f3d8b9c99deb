package dev.toolfleet.worker.app;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.hosts.HostsConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.publishing.git.GitAddress;
import dev.toolfleet.publishing.git.GitBundles;
import dev.toolfleet.publishing.git.GitException;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.catalog.CatalogMode;
import dev.toolfleet.worker.completion.CompletionService;
import dev.toolfleet.worker.egress.EgressConfig;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.poll.KafkaClients;
import dev.toolfleet.worker.poll.MemberIdentity;
import dev.toolfleet.worker.record.LoopConfig;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.SandboxConfig;

/// The section `worker` of `fleet.yaml`, and what a worker needs of the others.
///
/// @param kafka how to reach the brokers
/// @param topics the fleet's topic names
/// @param identity who this worker is
/// @param lanes how much it takes in
/// @param calls how calls are judged and run
/// @param folders what it reads and writes on disk
/// @param code how code of bundles runs
/// @param life how it ends
/// @param oauth how people authorize tools
/// @param http where [Worker#serve] answers; empty for nowhere
public record WorkerConfig(KafkaConfig kafka, Topics topics, Identity identity, LaneLimits lanes, Calls calls,
        Folders folders, Code code, Life life, OAuth oauth, Optional<HttpConfig> http) {
    /// The port of workers that name none.
    public static final int DEFAULT_HTTP_PORT = 7071;

    /// Identity of a worker.
    ///
    /// @param group the consumer group that all workers of a fleet share
    /// @param name unique in the group; names the transactional ids
    /// @param sessionTimeout after which a silent worker has lost its partitions
    /// @param registrationLease after which tools that extensions publish are gone when no worker renews them
    public record Identity(String group, String name, Duration sessionTimeout, Duration registrationLease) {
        /// Returns the worker's identity in its group.
        public MemberIdentity member() {
            return new MemberIdentity(group, name, sessionTimeout);
        }
    }

    /// Settings of calls: judgement and runs.
    ///
    /// @param catalogMode what decides whether a tool may be called
    /// @param catalogWait how long a call waits for its step's catalog
    /// @param defaultTimeout of a handler whose export sets none
    /// @param extensions names of the Extensions around every call, in order
    /// @param helpBaseUrl put before an error code to make `helpUrl`; empty for none
    /// @param dedupe how long answers are remembered
    /// @param maxAbandoned how many handlers may ignore their interrupt at a time in a worker that is ready
    /// @param approvalTimeout how long a person has to approve a call
    /// @param maxOpenApprovals how many calls of an instance may wait for a person
    /// @param loops limits on calls that repeat without a change
    /// @param tracing where their spans go
    /// @param egress where tools may connect
    public record Calls(CatalogMode catalogMode, Duration catalogWait, Duration defaultTimeout, List<String> extensions,
            String helpBaseUrl, DedupeConfig dedupe, int maxAbandoned, Duration approvalTimeout,
            int maxOpenApprovals, LoopConfig loops, TracingConfig tracing, EgressConfig egress) {
        /// Checks the ranges.
        public Calls {
            if (!approvalTimeout.isPositive())
                throw new ConfigException("worker.approvals.timeout", approvalTimeout.toString(),
                        "a duration longer than nothing, or no person could approve a call");
        }
    }

    /// Settings of the code of bundles.
    ///
    /// @param ceilings the most that bundles may open of built-in Tools
    /// @param hosts processes that run handlers in other languages than Java
    /// @param git repositories of bundles
    public record Code(ToolCeilings ceilings, HostsConfig hosts, GitConfig git) {}

    /// Settings of people's authorizations.
    ///
    /// @param keyFile the fleet's OAuth keys; empty for those of the environment
    /// @param publicUrl the gateway's address for browsers; empty for none
    public record OAuth(Optional<Path> keyFile, Optional<URI> publicUrl) {
        private static OAuth of(Settings oauth) {
            String file = oauth.text("keyFile", "");
            String url = oauth.text("publicUrl", "");
            return new OAuth(file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)), address(url));
        }

        private static Optional<URI> address(String url) {
            if (url.isEmpty())
                return Optional.empty();
            try {
                URI address = new URI(url);
                if (address.getHost() != null && List.of("http", "https").contains(address.getScheme()))
                    return Optional.of(address);
            } catch (URISyntaxException e) {
                // As for any other text that is no address.
            }
            throw new ConfigException("worker.oauth.publicUrl", url, "an address such as https://fleet.example");
        }
    }

    /// Settings of a worker's end.
    ///
    /// @param drainTimeout how long running calls may go on at shutdown
    /// @param restartAfter how long a process runs before a tool may have it restarted
    public record Life(Duration drainTimeout, Duration restartAfter) {}

    /// Folders that a worker reads and writes.
    ///
    /// @param workspace root of the instances' folders
    /// @param retention after which an idle instance's folder is removed
    /// @param bundles where a bundle's files lie
    /// @param trust whose bundles count
    /// @param completion where the state of handles lies
    /// @param sandbox what programs of tools reach beside the folder of their instance
    public record Folders(Path workspace, Duration retention, BundleFolders bundles, BundleTrust trust,
            Completion completion, SandboxConfig sandbox) {
        /// The same for bundles of whomever.
        Folders trustingAll() {
            return new Folders(workspace, retention, bundles, BundleTrust.ALL, completion, sandbox);
        }
    }

    /// Folder of the state of handles.
    ///
    /// @param stateDir root of a folder for each worker on this machine; what is in it may be lost
    /// @param replication copies of it in Kafka; -1 for the brokers' default
    public record Completion(Path stateDir, int replication) {}

    /// Folders of bundles' files.
    @FunctionalInterface
    public interface BundleFolders {
        /// The folder of a bundle; need not exist for a bundle without files.
        Path folder(String bundle);
    }

    /// Those of a repository.
    ///
    /// @param git where they are
    record GitFolders(GitBundles git) implements BundleFolders, AutoCloseable {
        @Override
        public Path folder(String bundle) {
            try {
                return git.folder(bundle);
            } catch (GitException e) {
                throw new ModuleLoadException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public void close() {
            git.close();
        }
    }

    /// The same for a fleet that applies its bundles itself, from folders of who starts it: they need no signature.
    public WorkerConfig trustingAll() {
        return new WorkerConfig(kafka, topics, identity, lanes, calls, folders.trustingAll(), code, life,
                oauth, http);
    }

    /// Returns the same with these keys and this address of the gateway, unless they are set.
    public WorkerConfig authorizing(Optional<Path> keyFile, Optional<URI> publicUrl) {
        return new WorkerConfig(kafka, topics, identity, lanes, calls, folders, code, life,
                new OAuth(oauth.keyFile().or(() -> keyFile), oauth.publicUrl().or(() -> publicUrl)), http);
    }

    /// The same for a [LocalFleet], whose bundles need no signature: with this workspace, and with the catalog of the call's agent where that of a step
    /// would decide, since no service publishes steps there.
    ///
    /// @param sandbox how much to insist on walls
    public WorkerConfig local(Path workspace, SandboxConfig.Mode sandbox) {
        CatalogMode mode = calls.catalogMode() == CatalogMode.STEP ? CatalogMode.AGENT : calls.catalogMode();
        return new WorkerConfig(kafka, topics, identity, lanes,
                new Calls(mode, calls.catalogWait(), calls.defaultTimeout(), calls.extensions(), calls.helpBaseUrl(),
                        calls.dedupe(), calls.maxAbandoned(), calls.approvalTimeout(), calls.maxOpenApprovals(),
                        calls.loops(), calls.tracing(), calls.egress()),
                new Folders(workspace, folders.retention(), folders.bundles(), BundleTrust.ALL, folders.completion(),
                        folders.sandbox().with(sandbox)),
                code, life, oauth, http);
    }

    /// Makes the clients of this worker.
    KafkaClients clients() {
        return new KafkaClients(kafka, topics, identity.member());
    }

    CompletionService.Setup completions() {
        return new CompletionService.Setup(kafka, topics, identity.group(), identity.name(),
                folders.completion().replication());
    }

    /// Reads the section `worker` and finishes it.
    ///
    /// @param name of the worker unless `worker.name` is set
    /// @throws dev.toolfleet.config.ConfigException when a value cannot be used
    public static WorkerConfig of(KafkaConfig kafka, TopicsConfig topics, Settings worker, String name) {
        String bundles = worker.text("bundles", "bundles");
        return of(kafka, topics, worker, name, GitAddress.isOne(bundles)
                ? new GitFolders(GitConfig.of(worker).bundles(bundles))
                : worker.path("bundles", Path.of("bundles"))::resolve);
    }

    /// The same with bundle folders that the caller knows; then `worker.bundles` is not a key.
    public static WorkerConfig of(KafkaConfig kafka, TopicsConfig topics, Settings worker, String name,
            BundleFolders bundles) {
        Settings group = worker.section("group");
        Settings lane = worker.section("lane");
        Settings catalog = worker.section("catalog");
        Settings workspace = worker.section("workspace");
        Settings dedupe = worker.section("dedupe");
        Settings approvals = worker.section("approvals");
        Settings loops = worker.section("loops");
        Settings completion = worker.section("completion");
        EgressConfig egress = EgressConfig.of(worker.section("egress"));
        group.removed("protocol", "workers speak the classic group protocol; remove the key");
        WorkerConfig config = new WorkerConfig(kafka, topics.topics(),
                new Identity(group.text("id", topics.prefix() + "toolfleet"), worker.text("name", name),
                        group.duration("sessionTimeout", Duration.ofSeconds(6)),
                        worker.section("registration").duration("lease", Duration.ofSeconds(30))),
                new LaneLimits(worker.integer("maxInFlight", 10_000, 1, Integer.MAX_VALUE),
                        worker.bytes("maxInFlightBytes", 256L << 20),
                        lane.integer("maxQueued", 1_000, 1, Integer.MAX_VALUE)),
                new Calls(catalog.choice("mode", CatalogMode.STEP), catalog.duration("wait", Duration.ofSeconds(2)),
                        worker.duration("defaultTimeout", Duration.ofSeconds(30)),
                        worker.list("extensions", List.of()), worker.section("errors").text("helpBaseUrl", ""),
                        new DedupeConfig(dedupe.duration("window", Duration.ofMinutes(10)),
                                dedupe.integer("maxEntries", 20_000, 1, 10_000_000)),
                        worker.integer("maxAbandoned", 100, 0, Integer.MAX_VALUE),
                        approvals.duration("timeout", Duration.ofMinutes(5)),
                        approvals.integer("maxOpen", 20, 1, Integer.MAX_VALUE),
                        new LoopConfig(loops.integer("noticeAfter", 10, 0, Integer.MAX_VALUE),
                                loops.integer("refuseAfter", 20, 0, Integer.MAX_VALUE)),
                        TracingConfig.of(worker.section("tracing")), egress),
                new Folders(workspace.path("root", Path.of("workspace")),
                        workspace.duration("retention", Duration.ofDays(7)), bundles,
                        BundleTrust.of("worker.trustedKeys", worker.list("trustedKeys", List.of())),
                        new Completion(completion.path("stateDir", Path.of("state")),
                                completion.integer("replication", topics.replication(), -1, Short.MAX_VALUE)),
                        SandboxConfig.of(worker.section("sandbox"), egress)),
                new Code(ToolCeilings.of(worker.section("tools")), HostsConfig.of(worker.section("hosts")),
                        GitConfig.of(worker)),
                new Life(worker.section("drain").duration("timeout", Duration.ofSeconds(30)),
                        worker.section("restart").duration("minUptime", Duration.ofMinutes(5))),
                OAuth.of(worker.section("oauth")),
                http(worker.section("http")));
        worker.finish();
        return config;
    }

    private static Optional<HttpConfig> http(Settings http) {
        try {
            return HttpConfig.of("worker.http", http.text("address", HttpConfig.DEFAULT_ADDRESS),
                    http.text("port", Integer.toString(DEFAULT_HTTP_PORT)), http.text("token", ""), "");
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }
}
