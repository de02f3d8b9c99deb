package dev.toolfleet.gateway.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.topic.Topics;

/// A gateway in a process of its own, so that it can be killed. Its arguments are broker, prefix and folder.
final class GatewayProcess {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final DeliverySchedule QUICK = new DeliverySchedule(
            Collections.nCopies(200, Duration.ofMillis(500)), Duration.ofHours(1));

    private GatewayProcess() {}

    /// Starts one and returns at once. Its line is its URL.
    static ChildJvm launch(String bootstrapServers, Topics topics, Path stateDir) {
        return ChildJvm.start(new ChildJvm.Launch(GatewayProcess.class, FLAGS,
                List.of(bootstrapServers, topics.prefix(), stateDir.toString()),
                stateDir.resolveSibling(stateDir.getFileName() + ".log")));
    }

    /// Makes a gateway that retries twice a second, and may post to this machine.
    static GatewayService service(String bootstrapServers, Topics topics, Path stateDir) {
        ReadModelConfig readModel = new ReadModelConfig("g", topics, Map.of("bootstrap.servers", bootstrapServers),
                stateDir, ReadModelConfig.DEFAULT_RETENTION, 1, 1);
        return new GatewayService(new GatewayConfig(readModel, http(GatewayConfig.SECTION),
                http(GatewayConfig.INTERNAL_SECTION), AccessConfig.LOCAL, BundleTrust.ALL,
                WebhookConfig.of(Map.of("orders", SECRET), List.of("127.0.0.1")), ServiceAddresses.NONE),
                GatewayPages.NONE, QUICK);
    }

    private static HttpConfig http(String section) {
        return new HttpConfig(section, "127.0.0.1", 0, Optional.empty(), Optional.empty());
    }

    /// Serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        try (GatewayService gateway = service(arguments[0], new Topics(arguments[1]), Path.of(arguments[2]))) {
            gateway.start();
            parent.ready(gateway.url());
            gateway.stopped().join();
        }
    }
}
