package dev.toolfleet.bench.fleet;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.catalog.app.CatalogService.CatalogStartException;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A catalog service as a process of its own, so that its processor time is its own. Its arguments are its folder, the
/// prefix of its topics, which may be empty, and client properties, `linger.ms=0`.
public final class CatalogMain {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogMain.class);

    private CatalogMain() {}

    /// Serves until told to stop.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        CatalogService service = new CatalogService(
                new CatalogConfig(CatalogConfig.DEFAULT_GROUP, new Topics(arguments[1]),
                        kafka(arguments), Path.of(arguments[0]), CatalogConfig.DEFAULT_RETENTION,
                        CatalogConfig.DEFAULT_REPLICATION, CatalogConfig.DEFAULT_BUNDLES));
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

    private static Map<String, String> kafka(String[] arguments) {
        return Arrays.stream(arguments).skip(2).map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
