package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.worker.sandbox.Sandbox.Parts;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SandboxPreparationTest {
    private static final Programs NOTHING = name -> Optional.empty();
    private static final Path WORKSPACE = Path.of("/srv/workspace");

    @Test
    void requiredWithoutBubblewrapIsAnErrorThatNamesTheWayOut() {
        assertThatThrownBy(() -> prepare(Mode.REQUIRED)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.sandbox.mode is 'required'")
                .hasMessageContaining("bwrap is not installed")
                .hasMessageEndingWith(
                        "Or set worker.sandbox.mode to 'preferred', where every agent is trusted: commands"
                                + " of 'bash' then run with the part of it that this system has.")
                .hasMessageContaining("install bubblewrap").hasMessageContaining("prlimit");
    }

    @Test
    void preferredWithoutBubblewrapGoesOnAndSaysWhatIsMissing() {
        Parts parts = prepare(Mode.PREFERRED);

        assertThat(parts.walls()).isEmpty();
        assertThat(parts.notices()).hasSize(2).anyMatch(notice -> notice.contains("bwrap is not installed"));
    }

    @Test
    void aWorkspaceThatHoldsTheSystemHasNoWalls() {
        for (String root : List.of("/", "/usr")) {
            SandboxPreparation preparation = new SandboxPreparation(config(Mode.PREFERRED),
                    name -> Optional.of(Path.of("/no/such/folder", name)), List.of(), "6.1", "amd64");
            assertThat(preparation.parts(Path.of(root)).walls()).isEmpty();
            assertThat(preparation.parts(Path.of(root)).notices())
                    .anyMatch(notice -> notice.contains("the workspace '" + root + "' holds folders of the system")
                            && notice.contains("worker.workspace.root"));
            SandboxPreparation required = new SandboxPreparation(config(Mode.REQUIRED), preparation.programs(),
                    List.of(), "6.1",
                    "amd64");
            assertThatThrownBy(() -> required.parts(Path.of(root))).isInstanceOf(ConfigException.class)
                    .hasMessageContaining("worker.workspace.root");
        }
    }

    @Test
    void offAsksForNothingAndMissesNothing() {
        Parts parts = new SandboxPreparation(
                new SandboxConfig(Mode.OFF, new Network.None(), SandboxConfig.Limits.DEFAULT, List.of()),
                name -> Optional.of(Path.of("/usr/bin", name)), List.of(), "6.1", "amd64").parts(WORKSPACE);

        assertThat(parts.walls()).isEmpty();
        assertThat(parts.rlimits()).isEmpty();
        assertThat(parts.notices()).isEmpty();
    }

    @Test
    void olderKernelsCountTheProcessesOfTheWholeUser() {
        assertThat(SandboxPreparation.countsByNamespace("5.14.0-427.el9.x86_64")).isTrue();
        assertThat(SandboxPreparation.countsByNamespace("6.1.0-18-amd64")).isTrue();
        assertThat(SandboxPreparation.countsByNamespace("5.10.0-28-amd64")).isFalse();
        assertThat(SandboxPreparation.countsByNamespace("4.18.0")).isFalse();
        assertThat(SandboxPreparation.countsByNamespace("unknown")).isFalse();
    }

    private static SandboxConfig config(Mode mode) {
        return new SandboxConfig(mode, new Network.None(), SandboxConfig.Limits.DEFAULT, List.of());
    }

    private static Parts prepare(Mode mode) {
        return new SandboxPreparation(
                new SandboxConfig(mode, new Network.None(), SandboxConfig.Limits.DEFAULT, List.of()),
                NOTHING,
                List.of(), "6.1", "amd64").parts(WORKSPACE);
    }
}
