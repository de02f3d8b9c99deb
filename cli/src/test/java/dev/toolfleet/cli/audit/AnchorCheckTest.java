package dev.toolfleet.cli.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.audit.ChainHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AnchorCheckTest {
    private static final AuditHeads ANCHOR = new AuditHeads("tool.audit", Instant.EPOCH,
            List.of(new AuditHeads.Span(0, 0, 10)),
            List.of(head("a", 3, 7, "sha256:a3"), head("b", 2, 8, "sha256:b2")));

    private static ChainHead head(String writer, long sequence, long offset, String digest) {
        return new ChainHead(0, writer, 1, sequence, offset, digest, false);
    }

    private static List<String> found(long from, ChainHead... heads) {
        List<String> found = new ArrayList<>();
        AnchorCheck check = new AnchorCheck(ANCHOR, finding -> found.add(finding.writer() + " " + finding.text()));
        List.of(heads).forEach(check::accept);
        int before = check.finish(Map.of(0, from));
        found.add(check.matched() + " matched, " + before + " before");
        return found;
    }

    @Test
    void whatStandsAsItStoodIsMatchedAndWhatCameLaterDoesNotMatter() {
        assertThat(found(0, head("a", 2, 5, "sha256:a2"), head("a", 3, 7, "sha256:a3"), head("b", 2, 8, "sha256:b2"),
                head("a", 4, 10, "sha256:a4"), head("c", 1, 11, "sha256:c1"))).containsExactly("2 matched, 0 before");
    }

    @Test
    void aRewrittenTopicIsSeenHoweverWellItsChainsHold() {
        assertThat(found(0, head("a", 3, 7, "sha256:other"), head("b", 2, 8, "sha256:b2")).getFirst())
                .startsWith("a it is not the head that was taken");
        assertThat(found(0, head("x", 1, 4, "sha256:x"), head("a", 3, 7, "sha256:a3"), head("b", 2, 8, "sha256:b2"))
                .getFirst()).isEqualTo("x it was not there when the heads were taken");
        assertThat(found(0, head("a", 3, 8, "sha256:a3"), head("b", 2, 9, "sha256:b2"))).as("moved by an insertion")
                .hasSize(3);
        assertThat(found(0, head("a", 3, 7, "sha256:a3")).getFirst()).as("a tail that was cut")
                .isEqualTo("b the head that was taken is gone");
    }

    @Test
    void ofHeadsThatRetentionHasRemovedNothingIsSaid() {
        assertThat(found(8, head("b", 2, 8, "sha256:b2"))).containsExactly("1 matched, 1 before");
    }

    @Test
    void headsAreReadAsTheyWerePrinted(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("heads.json"), ANCHOR.json().toPrettyString());

        AuditHeads read = AuditHeads.read(file);
        assertThat(read.json()).isEqualTo(ANCHOR.json());
        assertThat(read.spans()).isEqualTo(ANCHOR.spans());
        for (String other : List.of("no json", "{}", "[]", "{\"form\": \"toolfleet-audit-heads/1\"}"))
            assertThatThrownBy(() -> AuditHeads.read(Files.writeString(file, other))).isInstanceOf(Failure.class)
                    .hasMessageContainingAll("--anchor", "heads.json", "toolfleet audit head");
    }
}
