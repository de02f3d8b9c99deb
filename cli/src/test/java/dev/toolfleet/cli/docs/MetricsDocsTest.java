package dev.toolfleet.cli.docs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.gateway.app.GatewayMeters;
import dev.toolfleet.gateway.readmodel.ReadModelMeters;
import dev.toolfleet.gateway.webhook.WebhookMeters;
import dev.toolfleet.http.HttpMeters;
import dev.toolfleet.sessions.http.SessionMeters;
import dev.toolfleet.worker.app.HostGauges;
import dev.toolfleet.worker.bridge.BridgeGauges;
import dev.toolfleet.worker.telemetry.CallMeters;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/metrics.md` has every metric that there is, and no other.
class MetricsDocsTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(toolfleet[\\w.]+)` \\|");
    private static final List<Class<?>> NAMES = List.of(WorkerMeters.class, BridgeGauges.class, HostGauges.class,
            CallMeters.class,
            LoadMeters.class,
            HttpMeters.class, GatewayMeters.class, ReadModelMeters.class, WebhookMeters.class, SessionMeters.class,
            dev.toolfleet.catalog.telemetry.Meters.class);

    @Test
    void everyNameIsDocumentedAndNoOther() throws IOException, IllegalAccessException {
        Set<String> documented = new TreeSet<>();
        for (Matcher row = ROW.matcher(Files.readString(Path.of("../docs/metrics.md"))); row.find();)
            assertThat(documented.add(row.group(1))).as(row.group(1) + " stands there once").isTrue();

        assertThat(documented).containsExactlyInAnyOrderElementsOf(names());
    }

    private static Set<String> names() throws IllegalAccessException {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : NAMES) {
            for (Field field : type.getFields()) {
                if (field.getType() == String.class && field.get(null) instanceof String name
                        && name.startsWith("toolfleet."))
                    names.add(name);
            }
        }
        return names;
    }
}
