package dev.toolfleet.cli.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SigningKeysTest {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void aPrivateKeyIsItsOwnersAloneAndNeverOverwritten() throws IOException {
        SigningKeys.Made made = SigningKeys.make(folder.resolve("keys/deploy"));

        assertThat(made.privateKey()).hasFileName("deploy.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.privateKey())))
                .isEqualTo("rw-------");
        String before = Files.readString(made.privateKey());
        assertThatThrownBy(() -> SigningKeys.make(folder.resolve("keys/deploy"))).isInstanceOf(Failure.class)
                .hasMessageContaining("exists");
        assertThat(made.privateKey()).hasContent(before);
    }

    @Test
    void whatIsNoKeySignsNothing() throws IOException {
        SigningKeys.Made made = SigningKeys.make(folder.resolve("deploy"));

        assertThatThrownBy(() -> SigningKeys.signer(made.publicKey())).isInstanceOf(Failure.class)
                .hasMessageContaining("--sign");
        assertThatThrownBy(() -> SigningKeys.signer(folder.resolve("missing"))).isInstanceOf(Failure.class);
    }

    /// A large bundle as YAML has it, and the setting in both of its forms.
    @Test
    void theBuiltInBundleIsShownAsItWasSigned() {
        SigningKeys.Made made = SigningKeys.make(folder.resolve("deploy"));
        BundleSigner signer = SigningKeys.signer(made.privateKey());

        for (String trusted : List.of(made.text(), made.publicKey().toString())) {
            ResourceTable table = new ResourceTable(BundleTrust.of("worker.trustedKeys", List.of(trusted)));
            for (RevisionPlan.Entry entry : RevisionPlan.of(FleetResources.BUILT_IN,
                    BuiltInBundle.read().declared(), new ResourceTable(), signer).entries())
                table.apply(entry.key(), CODEC.read(CODEC.write(requireNonNull(entry.value()))));

            assertThat(table.refused()).isEmpty();
            assertThat(table.view().bundle(FleetResources.BUILT_IN)).isPresent();
        }
    }
}
