package dev.toolfleet.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FleetConfigTest {
    private static final String YAML = """
            kafka:
              bootstrapServers: broker:9092
              properties:
                security.protocol: SASL_SSL
                sasl.jaas.config: module required password="007";
            topics:
              prefix: acme.
              partitions: 4
            worker:
              maxInFlight: 100
            catalog:
            """;

    @Test
    void theFileIsRead() {
        FleetConfig config = FleetConfig.parse(YAML, Map.of(), Map.of());

        assertThat(config.kafka().bootstrapServers()).isEqualTo("broker:9092");
        assertThat(config.kafka().clientProperties()).containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("bootstrap.servers", "broker:9092");
        assertThat(config.topics()).isEqualTo(new TopicsConfig("acme.", 4, TopicsConfig.BROKER_DEFAULT));
        assertThat(config.worker().integer("maxInFlight", 1)).isEqualTo(100);
        config.worker().finish();
        config.catalog().finish();
    }

    @Test
    void withoutAFileThereAreDefaults() {
        FleetConfig config = FleetConfig.load(null, Map.of(), Map.of());

        assertThat(config.kafka().bootstrapServers()).isEqualTo("localhost:9092");
        assertThat(config.topics().partitions()).isEqualTo(12);
    }

    @Test
    void environmentOverridesTheFileAndFlagsOverrideBoth() {
        Map<String, String> environment = Map.of("TOOLFLEET_WORKER_MAXINFLIGHT", "200", "TOOLFLEET_TOPICS_PREFIX",
                "env.");
        FleetConfig config = FleetConfig.parse(YAML, environment, Map.of("worker.maxInFlight", "300"));

        assertThat(config.topics().prefix()).isEqualTo("env.");
        assertThat(config.worker().integer("maxInFlight", 1)).isEqualTo(300);
        config.worker().finish();
    }

    @Test
    void clientPropertiesComeFromTheEnvironmentToo() {
        FleetConfig config = FleetConfig.parse(YAML,
                Map.of("TOOLFLEET_KAFKA_PROPERTIES_SASL_JAAS_CONFIG", "from the vault"),
                Map.of("kafka.properties.client.id", "me"));

        assertThat(config.kafka().properties()).containsEntry("sasl.jaas.config", "from the vault")
                .containsEntry("client.id", "me").containsEntry("security.protocol", "SASL_SSL");
    }

    @Test
    void anUnknownVariableOfASectionIsRefused() {
        assertThatThrownBy(() -> FleetConfig.parse(YAML, Map.of("TOOLFLEET_TOPICS_PARTITION", "3"), Map.of()))
                .hasMessage("unknown setting topics.partition (from TOOLFLEET_TOPICS_PARTITION); "
                        + "did you mean topics.partitions?");
    }

    @Test
    void aValueForASectionNamesTheSettingsInIt() {
        Settings worker = FleetConfig.parse(YAML, Map.of(), Map.of("worker.group", "mine")).worker();
        worker.text("maxInFlight", "1");
        worker.section("group").text("id", "default");
        worker.section("group").text("sessionTimeout", "6s");

        assertThatThrownBy(worker::finish).hasMessage("worker.group (from --set worker.group) is a section and has no"
                + " value of its own; in it there are: worker.group.id, worker.group.sessionTimeout");
    }

    @Test
    void aSettingOfAnEarlierReleaseIsRefusedWithTheWayOut() {
        Settings worker = FleetConfig.parse("worker: {group: {protocol: consumer}}", Map.of(), Map.of()).worker();
        assertThatThrownBy(() -> worker.section("group").removed("protocol", "remove the key"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("worker.group.protocol (from fleet.yaml) is no longer a setting: remove the key");
        Settings flagged = FleetConfig.parse("", Map.of(), Map.of("worker.group.protocol", "classic")).worker();
        assertThatThrownBy(() -> flagged.section("group").removed("protocol", "remove the key"))
                .hasMessageContaining("worker.group.protocol (from --set worker.group.protocol)");
        FleetConfig.parse("", Map.of(), Map.of()).worker().section("group").removed("protocol", "remove the key");
    }

    @Test
    void variablesThatKubernetesMakesForServicesAreLeftAlone() {
        Map<String, String> environment = Map.of("TOOLFLEET_TOPICS_PORT", "tcp://10.0.0.1:80",
                "TOOLFLEET_TOPICS_PORT_80_TCP_ADDR", "10.0.0.1", "TOOLFLEET_TOPICS_SERVICE_HOST", "10.0.0.1");

        assertThat(FleetConfig.parse(YAML, environment, Map.of()).topics().prefix()).isEqualTo("acme.");
    }

    @Test
    void anUnknownSectionIsRefused() {
        assertThatThrownBy(() -> FleetConfig.parse("wroker: {}", Map.of(), Map.of()))
                .hasMessage("unknown section 'wroker'; did you mean worker?");
        assertThatThrownBy(() -> FleetConfig.parse("", Map.of(), Map.of("nothing.x", "1")))
                .hasMessageContaining("unknown section 'nothing.x'");
    }

    @Test
    void whatIsNotYamlNamesItsPlace() {
        assertThatThrownBy(() -> FleetConfig.parse("kafka:\n  a: [1\n", Map.of(), Map.of()))
                .isInstanceOf(ConfigException.class).hasMessageStartingWith("fleet.yaml:3:1 is not YAML");
        assertThatThrownBy(() -> FleetConfig.parse("kafka: 1\nkafka: 2\n", Map.of(), Map.of()))
                .isInstanceOf(ConfigException.class).hasMessageContaining("fleet.yaml");
        assertThatThrownBy(() -> FleetConfig.load(Path.of("no-such.yaml"), Map.of(), Map.of()))
                .hasMessage("the configuration file no-such.yaml does not exist");
    }

    @Test
    void theEffectiveConfigurationShowsOriginsAndNoSecret() {
        FleetConfig config = FleetConfig.parse(YAML, Map.of("TOOLFLEET_TOPICS_PREFIX", "env."), Map.of());
        config.worker().integer("maxInFlight", 1);

        assertThat(config.effective()).extracting(Effective::toString).contains(
                "kafka.bootstrapServers=broker:9092 (fleet.yaml)",
                "kafka.properties.sasl.jaas.config=******** (fleet.yaml)",
                "topics.prefix=env. (TOOLFLEET_TOPICS_PREFIX)", "topics.replication=-1 (default)",
                "worker.maxInFlight=100 (fleet.yaml)");
        assertThat(config.kafka().toString()).doesNotContain("007");
    }

    @Test
    void aCopyIsReadByItself() {
        FleetConfig config = FleetConfig.parse(YAML, Map.of("TOOLFLEET_TOPICS_PREFIX", "env."),
                Map.of("worker.name", "w"));
        List<Effective> before = config.effective();

        FleetConfig copy = config.copy();

        assertThat(copy.effective()).isEqualTo(before);
        assertThat(copy.worker().integer("maxInFlight", 1)).isEqualTo(100);
        assertThat(copy.worker().text("name", "")).isEqualTo("w");
        assertThat(copy.topics().prefix()).isEqualTo("env.");
        assertThat(config.effective()).isEqualTo(before);
    }

    @Test
    void secretsAreKnownByTheirNames() {
        assertThat(Secrets.isSecret("kafka.properties.ssl.key.password")).isTrue();
        assertThat(Secrets.isSecret("kafka.properties.ssl.keystore.key")).isTrue();
        assertThat(Secrets.isSecret("worker.authToken")).isTrue();
        assertThat(Secrets.isSecret("kafka.properties.ssl.keystore.location")).isFalse();
        assertThat(Secrets.isSecret("kafka.properties.key.serializer")).isFalse();
        assertThat(Secrets.masked("worker.proxy", "http://me:pw@proxy:3128")).isEqualTo("http://********@proxy:3128");
    }
}
