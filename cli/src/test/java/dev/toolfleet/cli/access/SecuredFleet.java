package dev.toolfleet.cli.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.embedded.BrokerUsers;
import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.gateway.app.GatewayService;
import dev.toolfleet.sessions.app.SessionService;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// A fleet on a broker that asks who is there: one user for each role, called like it, with the rights that the command
/// `topics acl` gave it and no others; worker, catalog service, gateway and session
/// service run as theirs. Shared by the tests of a JVM.
final class SecuredFleet implements AutoCloseable {
    static final String PREFIX = "acme.";
    static final String SUPER_USER = "admin";
    /// Has no role.
    static final String NOBODY = "nobody";
    static final String RUNTIME_GROUP = "chat-agents";
    static final String ANALYST_GROUPS = "analytics-*";
    static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: later}
            spec:
              entry: java:dev.toolfleet.cli.command.LaterTools
              exports:
                - name: start
                  description: Begins work that finishes later.
                  parameters: {type: object}
                  annotations: {readOnly: true}
                  async: {timeout: 1h}
                - name: sleep
                  description: Sleeps for a minute.
                  parameters: {type: object}
                  annotations: {readOnly: true}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: desk}
            spec:
              rules:
                - {id: open, tool: ["later__*", file-system__list], verdict: allow}
                - {id: asked, tool: file-system__write, verdict: require-approval, reason: Somebody looks at it.}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [Tool/later, {ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}}]
            """;

    private final List<String> decisions = new CopyOnWriteArrayList<>();
    private final BrokerUsers users;
    private final EmbeddedKafka broker;
    private final Path folder;
    private final CatalogService catalog;
    private final Worker worker;
    private final GatewayService gateway;
    private final SessionService sessions;

    private SecuredFleet() throws IOException, InterruptedException {
        hearAuthorizer();
        users = users();
        broker = EmbeddedKafka.start(EmbeddedKafkaConfig.temporary().withUsers(users));
        folder = Files.createTempDirectory("toolfleet-secured-");
        Commands admin = as(SUPER_USER);
        for (Role role : Role.values())
            admin.succeeds(acl(role));
        Commands deployer = as(Role.DEPLOYER.text());
        deployer.succeeds("topics", "create", "--partitions", "2");
        deployer.succeeds("topics", "create");
        deployer.succeeds("apply", "@toolfleet/base");
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        deployer.succeeds("apply", bundle.toString(), "--name", "bundle");

        FleetConfig catalogConfig = config(Role.CATALOG.text());
        CatalogConfig settings = CatalogSettings.of(catalogConfig);
        catalog = new CatalogService(settings, name -> bundle, Optional.empty());
        catalog.start();
        FleetConfig workerConfig = config(Role.WORKER.text());
        worker = Worker.start(WorkerConfig.of(workerConfig.kafka(), workerConfig.topics(), workerConfig.worker(), "w1",
                name -> bundle));
        gateway = new GatewayService(GatewaySettings.of(config(Role.GATEWAY.text())).orElseThrow());
        gateway.start();
        sessions = new SessionService(SessionSettings.of(config(Role.SESSION.text())), Optional.empty());
        sessions.start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.awaitReady(Duration.ofMillis(50)));
        for (Role role : Role.values())
            assertThat(refusals(role.text(), 0)).as(role.text() + ", until the fleet runs").isEmpty();
    }

    static SecuredFleet start() {
        try {
            return new SecuredFleet();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The arguments that give its user the rights of a role.
    static String[] acl(Role role) {
        List<String> arguments = List.of("topics", "acl", "--role", role.text(), "--principal", "User:" + role.text());
        List<String> groups = switch (role) {
            case RUNTIME -> List.of("--group", RUNTIME_GROUP);
            case ANALYST -> List.of("--group", ANALYST_GROUPS);
            case TOOL, APPROVER, OPERATOR, DEPLOYER, WORKER, CATALOG, GATEWAY, SESSION -> List.of();
        };
        return Stream.concat(arguments.stream(), groups.stream()).toArray(String[]::new);
    }

    private static BrokerUsers users() {
        Map<String, String> passwords = new HashMap<>();
        for (Role role : Role.values())
            passwords.put(role.text(), role.text() + "-secret");
        passwords.put(SUPER_USER, "admin-secret");
        passwords.put(NOBODY, "nobody-secret");
        return new BrokerUsers(SUPER_USER, passwords);
    }

    private void hearAuthorizer() {
        // While another thread starts SLF4J, loggers are substitutes.
        LoggerContext loggers = (LoggerContext) Awaitility.await().until(LoggerFactory::getILoggerFactory,
                LoggerContext.class::isInstance);
        Logger logger = loggers.getLogger("kafka.authorizer.logger");
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                decisions.add(event.getFormattedMessage());
            }
        };
        appender.start();
        logger.addAppender(appender);
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /// Address of the gateway.
    String gatewayUrl() {
        return gateway.url();
    }

    /// How much the authorizer has said until now.
    int now() {
        return decisions.size();
    }

    /// What the broker has refused to a user since [#now].
    List<String> refusals(String user, int since) {
        return decisions.stream().skip(since)
                .filter(line -> line.contains("User:" + user + " ") && line.contains("Denied")).toList();
    }

    /// Commands typed by a user, with the login in the environment, as `docs/security.md` shows it.
    Commands as(String user) {
        Map<String, String> environment = new HashMap<>(
                Map.of("TOOLFLEET_TOPICS_PREFIX", PREFIX, "TOOLFLEET_KAFKA_BOOTSTRAPSERVERS", bootstrapServers()));
        users.clientProperties(user).forEach((key, value) -> environment
                .put("TOOLFLEET_KAFKA_PROPERTIES_" + key.toUpperCase(Locale.ROOT).replace('.', '_'), value));
        return new Commands(environment);
    }

    /// Kafka client properties of a user.
    Map<String, Object> properties(String user) {
        Map<String, Object> properties = new HashMap<>(users.clientProperties(user));
        properties.put("bootstrap.servers", bootstrapServers());
        return properties;
    }

    /// The fleet's client as a user.
    ClientConfig client(String user) {
        return ClientConfig.of(bootstrapServers()).named(user).on(new Topics(PREFIX))
                .with(users.clientProperties(user));
    }

    /// The fleet's configuration as a user has it.
    FleetConfig config(String user) {
        Map<String, String> flags = new HashMap<>(Map.of("topics.prefix", PREFIX,
                "kafka.bootstrapServers", bootstrapServers(),
                "worker.drain.timeout", "1s", "worker.sandbox.mode", "preferred",
                "worker.workspace.root", folder.resolve("workspace").toString(),
                "worker.completion.stateDir", folder.resolve("handles").toString(),
                "catalog.stateDir", folder.resolve("catalog").toString()));
        flags.putAll(Map.of("gateway.stateDir", folder.resolve("gateway").toString(), "gateway.http.port", "0",
                "gateway.internal.port", "0", "session.stateDir",
                folder.resolve("session").toString()));
        users.clientProperties(user).forEach((key, value) -> flags.put("kafka.properties." + key, value));
        return FleetConfig.load(null, Map.of(), flags);
    }

    @Override
    public void close() {
        try (broker) {
            sessions.close();
            gateway.close();
            worker.close();
            catalog.close();
        }
    }
}
