package dev.toolfleet.bench.steps;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.catalog.app.CatalogStartException;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A catalog service as a process of its own, so that its processor time is its own. Its arguments are broker, folder and
/// commit interval in milliseconds.
public final class CatalogMain {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogMain.class);

    private CatalogMain() {}

    /// Serves until told to stop.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        CatalogService service = new CatalogService(new CatalogConfig(CatalogConfig.DEFAULT_GROUP, new Topics(""),
                Map.of("bootstrap.servers", arguments[0], "commit.interval.ms", arguments[2]), Path.of(arguments[1]),
                CatalogConfig.DEFAULT_RETENTION, CatalogConfig.DEFAULT_REPLICATION));
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
