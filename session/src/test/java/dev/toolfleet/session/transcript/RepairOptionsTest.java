package dev.toolfleet.session.transcript;

import java.util.List;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static dev.toolfleet.session.transcript.Lines.entries;
import static org.assertj.core.api.Assertions.assertThat;

class RepairOptionsTest {
    @Test
    @DisplayName("TRX-24 unknown tool name: kept and marked")
    void unknownToolIsKeptAndMarked() {
        List<Entry> calling = entries("""
                calls a
                result a 1
                """);
        RepairOptions options = new RepairOptions(false, name -> !name.equals("tool"));
        Repaired repaired = Transcript.repair(calling, CallFacts.NONE, options);
        assertThat(repaired.report().isClean()).isTrue();
        assertThat(repaired.entries()).hasSize(2);
        assertThat(repaired.entries().getFirst().metadata().get(Entry.UNKNOWN_TOOLS).toString())
                .isEqualTo("[\"tool\"]");
        assertThat(Transcript.repair(repaired.entries(), CallFacts.NONE, options).entries())
                .isSameAs(repaired.entries());
    }

    @Test
    void seedModeInventsACallForAnOrphan() {
        Repaired repaired = Transcript.repair(entries("result a 1"), CallFacts.NONE,
                new RepairOptions(true, name -> true));
        assertThat(repaired.entries().getFirst().calls())
                .containsExactly(new Call("a", "[unknown-tool]", JsonNodeFactory.instance.objectNode()));
        assertThat(Transcript.detect(repaired.entries())).isEmpty();
    }
}
