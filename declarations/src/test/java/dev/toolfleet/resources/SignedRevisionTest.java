package dev.toolfleet.resources;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.config.ConfigException;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.tool;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A reader that requires signatures, and a writer of `tool.resource` without a key.
class SignedRevisionTest {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final KeyPair KEYS = BundleKeys.generate();
    private static final BundleSigner SIGNER = new BundleSigner(KEYS.getPrivate());
    private static final BundleTrust TRUST = BundleTrust.of(List.of(BundleKeys.generate().getPublic(),
            KEYS.getPublic()));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /// The topic in the view of the apply.
    private final ResourceTable topic = new ResourceTable();
    private final ResourceTable table = new ResourceTable(TRUST);

    private RevisionPlan plan(@Nullable BundleSigner signer, ObjectNode... resources) {
        return RevisionPlan.of("acme", Stream.of(resources)
                .map(resource -> new RevisionPlan.Declared(resource, Map.of("lib/x.jar", "sha256:" + "ab".repeat(32))))
                .toList(), topic, signer);
    }

    private RevisionPlan apply(@Nullable BundleSigner signer, ObjectNode... resources) {
        RevisionPlan plan = plan(signer, resources);
        plan.entries().forEach(entry -> write(entry.key(), entry.value()));
        return plan;
    }

    /// As it comes from the topic.
    private void write(String key, @Nullable ResourceRecord value) {
        ResourceRecord read = value == null ? null : CODEC.read(CODEC.write(value));
        topic.apply(key, read);
        table.apply(key, read);
    }

    private ResourceRecord record(RevisionPlan plan, String name) {
        return requireNonNull(plan.entries().stream().filter(entry -> entry.key().endsWith("/" + name)).findFirst()
                .orElseThrow().value());
    }

    private ResourceRecord with(ResourceRecord record, ObjectNode resource, Map<String, String> files) {
        return new ResourceRecord(record.bundle(), record.revision(), record.source(), resource, files, null);
    }

    private long shown() {
        return table.view().bundle("acme").map(BundleResources::revision).orElse(0L);
    }

    @Test
    void aSignedRevisionIsShownWhateverNumbersItHolds() {
        ObjectNode odd = tool("a", "x");
        odd.withObject("spec").withObject("config").put("decimal", new BigDecimal("1.50")).put("float", 0.1f)
                .put("large", new BigInteger("9".repeat(30))).put("small", 1e-7).put("short", (short) 7);

        apply(SIGNER, odd, agent("coder", "Tool/a"));

        assertThat(shown()).isEqualTo(1);
        assertThat(table.refused()).isEmpty();
        assertThat(table.incomplete()).isEmpty();
    }

    @Test
    void whatIsUnsignedOrSignedByAnotherIsRefusedAndTheLastTrustedOneStays() {
        apply(SIGNER, tool("a", "x"));

        apply(null, tool("a", "y"));
        assertThat(table.refused().get("acme")).contains("revision 2").contains("not signed");
        apply(new BundleSigner(BundleKeys.generate().getPrivate()), tool("a", "z"));
        assertThat(table.refused().get("acme")).contains("revision 3").contains("no signature of a trusted key");
        assertThat(shown()).isEqualTo(1);

        apply(SIGNER, tool("a", "w"));
        assertThat(shown()).isEqualTo(4);
        assertThat(table.refused()).isEmpty();
    }

    @Test
    void aRecordThatIsChangedAddedOrTakenOutAfterwardsIsNoticed() {
        RevisionPlan plan = apply(SIGNER, tool("a", "x"), tool("b", "y"));
        ResourceRecord a = record(plan, "Tool/a");

        write("acme/Tool/a", with(a, tool("a", "evil"), a.files()));
        assertThat(table.refused()).containsOnlyKeys("acme");
        write("acme/Tool/a", with(a, a.resource(), Map.of("lib/x.jar", "sha256:" + "cd".repeat(32))));
        assertThat(table.refused()).as("another jar").containsOnlyKeys("acme");
        write("acme/Tool/a", a);
        assertThat(table.refused()).isEmpty();

        write("acme/Tool/b", null);
        assertThat(table.incomplete()).containsOnlyKeys("acme");
        write("acme/Tool/b", record(plan, "Tool/b"));
        assertThat(table.incomplete()).isEmpty();
        write("acme/Tool/c", with(a, tool("c", "z"), a.files()));
        assertThat(table.incomplete()).containsOnlyKeys("acme");
        assertThat(requireNonNull(table.view().bundles().get("acme")).records()).containsOnlyKeys("Tool/a", "Tool/b");
    }

    @Test
    void aReaderThatStartsBehindAChangeShowsNothingOfIt() {
        RevisionPlan plan = plan(SIGNER, tool("a", "x"));
        ResourceRecord a = record(plan, "Tool/a");
        write("acme/Tool/a", with(a, tool("a", "evil"), a.files()));
        write("acme/Revision/active", record(plan, "Revision/active"));

        assertThat(table.view().bundles()).isEmpty();
        assertThat(table.refused()).containsOnlyKeys("acme");
    }

    @Test
    void aSignatureCountsForItsBundleAndItsRevisionOnly() {
        RevisionPlan plan = apply(SIGNER, tool("a", "x"));
        for (RevisionPlan.Entry entry : plan.entries()) {
            ResourceRecord one = requireNonNull(entry.value());
            ResourceRecord other = new ResourceRecord("other", one.revision(), one.source(), one.resource(),
                    one.files(), null);
            write(entry.key().replace("acme/", "other/"), other);
            write(entry.key(), new ResourceRecord("acme", 9, one.source(), one.resource(), one.files(), null));
        }

        assertThat(table.refused()).containsOnlyKeys("acme", "other");
        assertThat(shown()).isEqualTo(1);
    }

    @Test
    void anOldRevisionDoesNotComeBack() {
        RevisionPlan first = apply(SIGNER, tool("a", "x"));
        apply(SIGNER, tool("a", "y"));

        first.entries().forEach(entry -> write(entry.key(), entry.value()));

        assertThat(shown()).isEqualTo(2);
        assertThat(table.refused().get("acme")).contains("older than 2");
    }

    @Test
    void aRemovalHasNoSignature() {
        apply(SIGNER, tool("a", "x"));

        write("acme/Revision/active", null);

        assertThat(shown()).isEqualTo(1);
        assertThat(table.refused().get("acme")).contains("was removed");
    }

    @Test
    void whatIsAppliedAgainUnchangedIsSignedAsTheNextRevisionOnce() {
        apply(null, tool("a", "x"));
        assertThat(plan(null, tool("a", "x")).changes()).isFalse();

        assertThat(apply(SIGNER, tool("a", "x")).revision()).isEqualTo(2);

        assertThat(shown()).isEqualTo(2);
        assertThat(plan(SIGNER, tool("a", "x")).changes()).isFalse();
        assertThat(plan(null, tool("a", "x")).changes()).as("a signature is not taken away").isFalse();
    }

    @Test
    void whatOperatorsDenyNeedsNoSignature() {
        ObjectNode denial = Declarations.resource(OperatorDenial.KIND, "bash__*");
        ResourceRecord record = new ResourceRecord(OperatorDenial.BUNDLE, 1,
                new ToolSource(ToolSource.OPERATOR, "ann"), denial, Map.of(), null);
        write(ResourceKey.of(record), record);
        ResourceRecord mark = RevisionMark.of(OperatorDenial.BUNDLE, ToolSource.OPERATOR, 1, 1);
        write(ResourceKey.of(mark), mark);

        assertThat(table.view().bundle(OperatorDenial.BUNDLE)).isPresent();
        assertThat(table.refused()).isEmpty();
    }

    @Test
    void keysAreReadAsTheyAreWritten() throws IOException {
        Path secret = folder.resolve("k.key");
        Path open = folder.resolve("k.pub");
        BundleKeys.write(secret, KEYS.getPrivate());
        BundleKeys.write(open, KEYS.getPublic());

        assertThat(BundleKeys.privateKey(secret)).isEqualTo(KEYS.getPrivate());
        assertThat(BundleKeys.publicKey(open.toString())).isEqualTo(KEYS.getPublic());
        assertThat(BundleKeys.publicKey(BundleKeys.text(KEYS.getPublic()))).isEqualTo(KEYS.getPublic());
        assertThatThrownBy(() -> BundleKeys.write(secret, KEYS.getPrivate())).isInstanceOf(IOException.class);
        assertThat(BundleKeys.privateKey(secret)).isEqualTo(KEYS.getPrivate());
    }

    @Test
    void aKeyThatIsNoneIsRefusedWithItsSetting() throws IOException {
        Path secret = folder.resolve("k.key");
        BundleKeys.write(secret, KEYS.getPrivate());
        Path junk = Files.writeString(folder.resolve("junk"), "junk");

        for (String wrong : List.of(secret.toString(), junk.toString(), folder.resolve("missing").toString(),
                "MCowBQYDK2VwAyEAshort")) {
            assertThatThrownBy(() -> BundleTrust.of("worker.trustedKeys", List.of(wrong))).as(wrong)
                    .isInstanceOf(ConfigException.class).hasMessageContaining("worker.trustedKeys");
        }
        assertThat(BundleTrust.of("worker.trustedKeys", List.of()).demandsSignatures()).isFalse();
    }
}
