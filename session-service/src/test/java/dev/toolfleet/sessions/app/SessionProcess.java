package dev.toolfleet.sessions.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.sessions.app.SessionService.SessionStartException;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Session service in a process of its own, so that it can be killed. Its arguments are broker, prefix and folder.
final class SessionProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SessionProcess.class);
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private SessionProcess() {}

    /// Starts one and returns at once.
    static ChildJvm launch(String bootstrapServers, Topics topics, Path stateDir, Path log) {
        return ChildJvm.start(new ChildJvm.Launch(SessionProcess.class, FLAGS,
                List.of(bootstrapServers, topics.prefix(), stateDir.toString()), log));
    }

    static SessionConfig config(String bootstrapServers, Topics topics, Path stateDir) {
        return new SessionConfig(SessionConfig.DEFAULT_GROUP, topics, Map.of("bootstrap.servers", bootstrapServers),
                stateDir, SessionConfig.DEFAULT_RETENTION, Duration.ofSeconds(2), WindowConfig.DEFAULT,
                SessionConfig.DEFAULT_CONTEXT_WINDOW, BundleTrust.ALL, 1);
    }

    /// Serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        SessionService service = new SessionService(config(arguments[0], new Topics(arguments[1]),
                Path.of(arguments[2])), Optional.empty());
        try {
            service.start();
            parent.ready("ready");
            service.stopped().join();
        } catch (SessionStartException | CompletionException e) {
            LOG.error("session service failed", e);
            System.exit(1);
        }
    }
}
