package dev.toolfleet.bench.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.sessions.app.SessionConfig;
import dev.toolfleet.sessions.app.SessionService;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A session service as a process of its own, for [SessionSlot]. Its arguments are its folder, the prefix of its topics,
/// which may be empty, and the broker. SIGTERM stops it; so does the parent's end.
public final class SessionMain {
    private static final Logger LOG = LoggerFactory.getLogger(SessionMain.class);
    /// No runtime writes messages: each result waits this long for the message with its call.
    private static final Duration MESSAGE_WAIT = Duration.ofMillis(500);

    private SessionMain() {}

    /// Starts a service, reports to the parent when it is ready, and serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        try {
            SessionConfig config = new SessionConfig(SessionConfig.DEFAULT_GROUP, new Topics(arguments[1]),
                    Map.of("bootstrap.servers", arguments[2]), Path.of(arguments[0]), SessionConfig.DEFAULT_RETENTION,
                    MESSAGE_WAIT, WindowConfig.DEFAULT, SessionConfig.DEFAULT_CONTEXT_WINDOW, BundleTrust.ALL, -1);
            SessionService service = new SessionService(config, Optional.empty());
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "session-stop"));
            service.start();
            parent.ready("ready");
            service.stopped().join();
        } catch (CompletionException | SessionService.SessionStartException e) {
            LOG.error("the session service broke", e);
            System.exit(1);
        }
    }
}
