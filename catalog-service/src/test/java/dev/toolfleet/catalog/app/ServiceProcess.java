package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.toolfleet.catalog.app.CatalogService.CatalogStartException;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A catalog service in a process of its own, so that it can be killed. Its arguments are broker, prefix and folder.
final class ServiceProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceProcess.class);
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private ServiceProcess() {}

    /// Starts one and returns at once.
    static ChildJvm launch(String bootstrapServers, Topics topics, Path stateDir, Path log) {
        return ChildJvm.start(new ChildJvm.Launch(ServiceProcess.class, FLAGS,
                List.of(bootstrapServers, topics.prefix(), stateDir.toString()), log));
    }

    /// Serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        CatalogService service = new CatalogService(new CatalogConfig(CatalogConfig.DEFAULT_GROUP,
                new Topics(arguments[1]), Map.of("bootstrap.servers", arguments[0]), Path.of(arguments[2]),
                Duration.ofHours(1), CatalogConfig.DEFAULT_REPLICATION, CatalogConfig.DEFAULT_BUNDLES));
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "service-stop"));
        try {
            service.start();
            parent.ready("ready");
            service.stopped().join();
        } catch (CatalogStartException | CompletionException e) {
            LOG.error("the catalog service broke", e);
            System.exit(1);
        }
    }
}
