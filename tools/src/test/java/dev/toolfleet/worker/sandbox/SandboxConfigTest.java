package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.egress.AddressRules;
import dev.toolfleet.worker.egress.EgressConfig;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SandboxConfigTest {
    @Test
    void everySettingIsRead() {
        assertThat(of(Map.of("mode", "required", "network", "true", "processes", "32", "memory", "512MB", "cpuTime",
                "30s", "fileSize", "10MB", "readable", List.of("/opt"))))
                .isEqualTo(new SandboxConfig(Mode.REQUIRED, new Network.Shared(),
                        new Limits(32, 512L << 20, Duration.ofSeconds(30), 10L << 20), List.of(Path.of("/opt"))));
    }

    @Test
    void wallsAreRequiredAndTheNetworkIsClosed() {
        assertThat(of(Map.of()))
                .isEqualTo(new SandboxConfig(Mode.REQUIRED, new Network.None(), Limits.DEFAULT, List.of()));
    }

    @Test
    void egressLeadsToTheHostsOnTheListAlone() {
        EgressConfig listed = new EgressConfig(EgressList.of(List.of("a.example")), 5);
        SandboxConfig read = SandboxConfig.of(Settings.of("worker.sandbox", Map.of("network", "egress")), listed);

        assertThat(read.network()).isInstanceOfSatisfying(Network.Egress.class, egress -> {
            assertThat(egress.rules().list()).isEqualTo(listed.list());
            assertThat(egress.rules().bounds().bytes()).isEqualTo(5);
            assertThat(egress.rules().addresses()).isEqualTo(AddressRules.PUBLIC_ONLY);
        });
    }

    @Test
    void theWholeNetworkBesideAListIsRefused() {
        EgressConfig listed = new EgressConfig(EgressList.of(List.of("a.example")), 5);
        assertThatThrownBy(() -> SandboxConfig.of(Settings.of("worker.sandbox", Map.of("network", "true")), listed))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.sandbox.network is 'true'")
                .hasMessageContaining("worker.egress.allow").hasMessageContaining("'egress'");
        assertThatThrownBy(() -> of(Map.of("network", "some"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("true, false or egress");
    }

    @Test
    void aValueThatNothingCouldRunWithIsRefused() {
        assertThatThrownBy(() -> of(Map.of("mode", "maybe"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("required, preferred, off");
        assertThatThrownBy(() -> of(Map.of("memory", "1MB"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.sandbox.memory").hasMessageContaining("16MB");
        assertThatThrownBy(() -> of(Map.of("cpuTime", "0s"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.sandbox.cpuTime");
        assertThatThrownBy(() -> of(Map.of("processes", "0"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.sandbox.processes");
        assertThatThrownBy(() -> of(Map.of("fileSize", "0"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.sandbox.fileSize");
    }

    @Test
    void nothingMayBeMadeReadableThatShowsTheFoldersOfOthers() {
        for (String path : List.of("/", "/usr", "/usr/bin", "relative", "/usr/../usr", "/no/such/path", "/proc/self"))
            assertThatThrownBy(() -> of(Map.of("readable", List.of(path))).check(Path.of("/usr/bin")))
                    .isInstanceOf(ConfigException.class).hasMessageContaining("worker.sandbox.readable is '" + path);
        of(Map.of("readable", List.of("/etc"))).check(Path.of("/usr/bin"));
    }

    private static SandboxConfig of(Map<String, ?> values) {
        return SandboxConfig.of(Settings.of("worker.sandbox", values), EgressConfig.DEFAULT);
    }
}
