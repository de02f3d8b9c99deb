package dev.toolfleet.bench.fleet;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.gateway.app.GatewayService;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A gateway as a process of its own, for [GatewaySlot]. Its arguments are its folder, its port, its internal port, the
/// prefix of its topics, which may be empty, and client properties, `linger.ms=0`. SIGTERM stops it; so does the parent's
/// end.
public final class GatewayMain {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMain.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int FIRST_PROPERTY = 4;
    /// More than a benchmark opens.
    private static final int MOST = 12_500;
    private static final LimitConfig LIMITS = new LimitConfig(MOST, MOST, MOST, MOST, MOST, 2 * MOST,
            LimitConfig.DEFAULT_MAX_BODY, LimitConfig.DEFAULT.slowClient());

    private GatewayMain() {}

    /// Starts a gateway, reports to the parent when it is ready, and serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        try {
            GatewayService gateway = new GatewayService(config(arguments));
            Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "gateway-stop"));
            gateway.start();
            parent.ready("ready");
            gateway.stopped().join();
        } catch (CompletionException | IllegalStateException e) {
            LOG.error("the gateway broke", e);
            System.exit(1);
        }
    }

    private static GatewayConfig config(String[] arguments) {
        Map<String, String> kafka = Arrays.stream(arguments).skip(FIRST_PROPERTY)
                .map(argument -> argument.split("=", 2)).collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        ReadModelConfig readModel = new ReadModelConfig(ReadModelConfig.DEFAULT_GROUP, new Topics(arguments[3]), kafka,
                Path.of(arguments[0]), ReadModelConfig.DEFAULT_RETENTION, ReadModelConfig.DEFAULT_REPLICATION,
                ReadModelConfig.DEFAULT_STANDBYS);
        return new GatewayConfig(readModel, http(GatewayConfig.SECTION, arguments[1]),
                http(GatewayConfig.INTERNAL_SECTION, arguments[2]), AccessConfig.of(Principals.NONE, "", LIMITS),
                BundleTrust.ALL, WebhookConfig.NONE, ServiceAddresses.NONE);
    }

    private static HttpConfig http(String section, String port) {
        return new HttpConfig(section, LOOPBACK, Integer.parseInt(port), Optional.empty(), Optional.empty());
    }
}
