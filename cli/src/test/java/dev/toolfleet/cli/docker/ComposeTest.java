package dev.toolfleet.cli.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.json.Digests;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The compose file fits to the images, the configuration and itself.
class ComposeTest {
    private static final Pattern SETTING = Pattern.compile("(?m)^\\| `([\\w.]+)` \\|");
    private static final Pattern VARIABLE = Pattern.compile("\\b(TOOLFLEET_[A-Z0-9_]+)=");
    private static final Pattern PORT = Pattern.compile("(?m)^EXPOSE (\\d+)$");
    private static final List<String> OURS = List.of("setup", "worker", "catalog", "gateway");
    private static final List<String> PROCESSES = List.of("worker", "catalog", "gateway");

    private final JsonNode compose = Observed.yaml(Observed.DOCKER.resolve("compose.yaml"));
    private final String dockerfile = Files.readString(Observed.DOCKER.resolve("Dockerfile"));

    ComposeTest() throws IOException {}

    @Test
    void itHasAWholeFleetOfPinnedImages() throws IOException {
        Map<String, String> images = new TreeMap<>();
        for (String name : compose.path("services").propertyNames())
            images.put(name, of(name, "image").asString());

        assertThat(images).containsOnlyKeys("kafka", "setup", "worker", "catalog", "gateway", "prometheus", "grafana")
                .containsEntry("worker", "toolfleet-worker:${TAG:-latest}")
                .containsEntry("catalog", "toolfleet-catalog:${TAG:-latest}")
                .containsEntry("gateway", "toolfleet-gateway:${TAG:-latest}");
        assertThat(images.values()).allMatch(image -> image.matches(".+:(v?\\d+\\.\\d+\\.\\d+|\\$\\{TAG:-latest})"));
        String kafka = Files.readString(Path.of("../pom.xml")).replaceFirst("(?s).*<kafka.version>([^<]+)<.*", "$1");
        assertThat(images).containsEntry("kafka", "apache/kafka:" + kafka);
        assertThat(of("worker", "deploy").path("replicas").asInt()).isEqualTo(2);
    }

    @Test
    void ourProcessesHaveNoPrivilegesAndAReadOnlyRoot() {
        for (String name : OURS) {
            assertThat(of(name, "user").asString()).as(name).isEqualTo("10001:10001");
            assertThat(of(name, "read_only").asBoolean()).as(name).isTrue();
            assertThat(texts(of(name, "cap_drop"))).as(name).containsExactly("ALL");
            assertThat(texts(of(name, "security_opt"))).as(name).contains("no-new-privileges:true");
            // Native libraries are unpacked there; without exec no state store opens.
            assertThat(texts(of(name, "tmpfs"))).as(name).anyMatch(mount -> mount.matches("/tmp:(.*,)?exec(,.*)?"));
        }
        assertThat(dockerfile).contains("--uid 10001 --gid 10001").contains("USER 10001:10001");
        assertThat(dockerfile.substring(dockerfile.lastIndexOf("USER "))).startsWith("USER 10001:10001");
    }

    @Test
    void aWorkerThatWantsToBeRestartedIsAndOneThatStopsMayDrain() {
        for (String name : PROCESSES)
            assertThat(of(name, "restart").asString()).as(name).isIn("unless-stopped", "on-failure", "always");
        // worker.drain.timeout and the 15 s that docs/operations.md asks for.
        assertThat(of("worker", "stop_grace_period").asString()).isEqualTo("45s");
        assertThat(of("setup", "restart").asString()).isEqualTo("no");
        assertThat(dockerfile).contains("ENTRYPOINT [\"/usr/bin/tini\", \"--\", \"/opt/toolfleet/bin/toolfleet\"]");
    }

    @Test
    void whoeverStaysHasAHealthCheck() {
        for (String name : compose.path("services").propertyNames()) {
            if (!name.equals("setup"))
                assertThat(check(name)).as(name).isNotBlank();
        }
        assertThat(ports()).containsExactly(7070, 7071, 7072);
        assertThat(check("catalog")).isEqualTo("CMD /opt/toolfleet/bin/healthy 7070 ready");
        assertThat(check("gateway")).isEqualTo("CMD /opt/toolfleet/bin/healthy 7072 ready");
        assertThat(check("worker")).isEqualTo("/opt/toolfleet/bin/healthy 7071 ready");
        assertThat(dockerfile).contains("CMD [\"/opt/toolfleet/bin/healthy\", \"7070\"]")
                .contains("CMD [\"/opt/toolfleet/bin/healthy\", \"7071\"]")
                .contains("CMD [\"/opt/toolfleet/bin/healthy\", \"7072\"]");
    }

    @Test
    void volumesAndSecretsAreDeclaredAndMountedFilesAreThere() {
        Set<String> used = new TreeSet<>();
        for (String name : compose.path("services").propertyNames()) {
            for (String mount : texts(of(name, "volumes"))) {
                String source = mount.substring(0, mount.indexOf(':'));
                if (source.startsWith("."))
                    assertThat(Observed.DOCKER.resolve(source)).as(name).exists();
                else
                    used.add(source);
            }
            texts(of(name, "secrets")).forEach(
                    secret -> assertThat(compose.path("secrets").has(secret)).as(name + " " + secret).isTrue());
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(compose.path("volumes").propertyNames());
        assertThat(texts(of("worker", "volumes"))).contains("workspace:/var/lib/toolfleet/workspace");
        assertThat(dockerfile).contains("TOOLFLEET_WORKER_WORKSPACE_ROOT=/var/lib/toolfleet/workspace");
    }

    @Test
    void variablesAreSettings() throws IOException {
        Set<String> known = new TreeSet<>();
        for (Matcher row = SETTING.matcher(Files.readString(Path.of("../docs/configuration.md"))); row.find();)
            known.add("TOOLFLEET_" + row.group(1).toUpperCase(Locale.ROOT).replace('.', '_'));
        Set<String> set = new TreeSet<>();
        for (String name : OURS)
            set.addAll(of(name, "environment").propertyNames());
        set.addAll(Observed.yaml(Observed.DOCKER.resolve("compose.sandbox.yaml")).at("/services/worker/environment")
                .propertyNames());
        for (Matcher variable = VARIABLE.matcher(dockerfile); variable.find();)
            set.add(variable.group(1));

        assertThat(set).hasSizeGreaterThan(8).allSatisfy(
                variable -> assertThat(known)
                        .contains(variable.replaceFirst("_FILE$", "").replaceFirst("(_PRINCIPALS)_.+", "$1")));
    }

    /// The settings of the gateway, with the digest of a token's file as the image's command makes it.
    @Test
    void theGatewayKnowsPrometheusAndItsClientsByTheHashesOfTwoTokens() {
        Map<String, String> environment = new TreeMap<>();
        of("gateway", "environment").forEachEntry((name, value) -> environment.put(
                name.replaceFirst("(_SHA256)?_FILE$", ""),
                name.endsWith("_FILE") ? secret(name, value.asString()) : value.asString()));

        Principals principals = GatewaySettings.of(FleetConfig.parse("", environment, Map.of())).orElseThrow()
                .access().principals();

        assertThat(principals.all().stream().collect(Collectors.toMap(Principal::name, Principal::scopes)))
                .isEqualTo(Map.of("prometheus", Set.of(Scope.FLEET_READ), "local", Set.of(Scope.values())));
        assertThat(texts(of("gateway", "secrets"))).containsExactlyInAnyOrder("http-token", "gateway-token");
    }

    /// The content of a secret, which is its name here, or the digest of it.
    private static String secret(String variable, String path) {
        String content = path.replace("/run/secrets/", "");
        return variable.endsWith("_SHA256_FILE")
                ? Digests.sha256(content.getBytes(StandardCharsets.UTF_8))
                : content + "-of-enough-length";
    }

    @Test
    void prometheusLooksWhereTheProcessesAnswer() throws IOException {
        JsonNode prometheus = Observed.yaml(Observed.DOCKER.resolve("prometheus/prometheus.yml"));
        Map<String, Integer> scraped = new TreeMap<>();
        for (JsonNode job : prometheus.path("scrape_configs")) {
            JsonNode names = job.path("dns_sd_configs").path(0);
            scraped.put(names.path("names").path(0).asString(), names.path("port").asInt());
            assertThat(job.path("job_name").asString())
                    .isEqualTo("toolfleet-" + names.path("names").path(0).asString());
            assertThat(job.at("/authorization/credentials_file").asString()).isEqualTo("/run/secrets/http-token");
        }

        assertThat(scraped).isEqualTo(Map.of("catalog", 7070, "worker", 7071, "gateway", 7072));
        assertThat(texts(of("prometheus", "secrets"))).containsExactly("http-token");
        assertThat(texts(prometheus.path("rule_files"))).containsExactly("alerts.yml");
    }

    /// A service's key, also one that it takes over by `<<`.
    private JsonNode of(String service, String key) {
        JsonNode own = compose.path("services").path(service);
        return own.has(key) ? own.path(key) : own.path("<<").path(key);
    }

    /// The command of a service's health check.
    private String check(String service) {
        JsonNode test = of(service, "healthcheck").path("test");
        return test.isArray() ? String.join(" ", texts(test)) : test.asString();
    }

    private Set<Integer> ports() {
        Set<Integer> ports = new TreeSet<>();
        for (Matcher port = PORT.matcher(dockerfile); port.find();)
            ports.add(Integer.valueOf(port.group(1)));
        return ports;
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }
}
