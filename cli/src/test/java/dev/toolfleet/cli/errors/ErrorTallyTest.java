package dev.toolfleet.cli.errors;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorTallyTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");

    private static byte[] event(String code, String tool, String agent, String message, int second,
            boolean sensitive) {
        return WireCodec.of(ToolErrorEvent.class).write(new ToolErrorEvent("call-" + second, tool, null,
                new ToolError(code, null, message, null, null), "i", agent, null, null, null, null, 1, null, null, null,
                null, null, sensitive, null, "w1", START.plusSeconds(second)));
    }

    private static ErrorQuery query(ErrorQuery.By by) {
        return new ErrorQuery(by, START, null, null, null, null, null);
    }

    private static String text(ErrorQuery query, ErrorTally tally) {
        return String.join("\n",
                new ErrorTable(query, tally).table(20, new View(new Style(false), 300, START.plusSeconds(600))));
    }

    @Test
    void groupsHaveCountsSharesTimesAndTheNewestAsExample() {
        ErrorQuery query = query(ErrorQuery.By.CODE);
        ErrorTally tally = new ErrorTally(query);
        tally.add(event("E_B", "t__x", "coder", "newest of b", 30, false));
        tally.add(event("E_B", "t__x", "coder", "older", 10, false));
        tally.add(event("E_A", "t__y", "coder", "of a", 20, false));
        tally.add(event("E_B", "t__x", "coder", "before", -1, false));

        assertThat(tally.total()).isEqualTo(3);
        ErrorTally.Group first = tally.groups().getFirst();
        assertThat(first.key()).isEqualTo("E_B");
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.share()).isEqualTo(2 / 3.0);
        assertThat(first.first()).isEqualTo(START.plusSeconds(10));
        assertThat(first.example().message()).isEqualTo("newest of b");
        assertThat(text(query, tally)).contains("E_B", "66.7", "9 min ago", "call-30", "newest of b", "3 errors");
    }

    @Test
    void onlyWhatIsAskedForCounts() {
        ErrorQuery query = new ErrorQuery(ErrorQuery.By.TOOL, START, START.plusSeconds(50), Glob.of("bash__*"), "coder",
                "e_a", "i");
        ErrorTally tally = new ErrorTally(query);
        tally.add(event("E_A", "bash__exec", "coder", "yes", 1, false));
        tally.add(event("E_A", "bash__exec", "coder", "too late", 50, false));
        tally.add(event("E_A", "file__read", "coder", "another tool", 1, false));
        tally.add(event("E_A", "bash__exec", "porter", "another agent", 1, false));
        tally.add(event("E_B", "bash__exec", "coder", "another code", 1, false));

        assertThat(tally.groups()).singleElement().satisfies(group -> assertThat(group.example().message())
                .isEqualTo("yes"));
    }

    @Test
    void namesThatModelsInventTakeNoMoreMemoryAndAreCountedNevertheless() {
        ErrorQuery query = query(ErrorQuery.By.TOOL);
        ErrorTally tally = new ErrorTally(query);
        for (int i = 0; i < ErrorTally.MAX_GROUPS + 500; i++)
            tally.add(event("E_TOOL_NOT_IN_CATALOG", "invented" + i, "coder", "no", i, false));
        tally.add(event("E_TOOL_NOT_IN_CATALOG", "invented0", "coder", "no", 1, false));

        assertThat(tally.groups()).hasSize(ErrorTally.MAX_GROUPS);
        assertThat(tally.beyond()).isEqualTo(500);
        assertThat(tally.total()).isEqualTo(ErrorTally.MAX_GROUPS + 501);
        assertThat(tally.groups().getFirst().key()).isEqualTo("invented0");
        assertThat(text(query, tally)).contains("in 1980 more", "and 500 that were counted, but not told apart");
    }

    @Test
    void noticesAreNoErrorsUnlessAskedFor() {
        byte[] notice = event(ToolErrorEvent.DIGEST_MISMATCH, "t__x", "coder", "m", 1, false);
        ErrorTally tally = new ErrorTally(query(ErrorQuery.By.CODE));
        tally.add(notice);
        ErrorQuery asking = new ErrorQuery(ErrorQuery.By.CODE, START, null, null, null, ToolErrorEvent.DIGEST_MISMATCH,
                null);
        ErrorTally asked = new ErrorTally(asking);
        asked.add(notice);

        assertThat(tally.total()).isZero();
        assertThat(text(query(ErrorQuery.By.CODE), tally)).contains("no errors", "1 notice is not among them");
        assertThat(asked.total()).isEqualTo(1);
    }

    @Test
    void messagesOfSensitiveToolsAndControlCharactersAreNotShown() {
        ErrorQuery query = query(ErrorQuery.By.CODE);
        ErrorTally tally = new ErrorTally(query);
        tally.add(event("E_A", "t__x", "coder", "account 4711", 1, true));
        tally.add(event("E_B\u001b[2J", "t__x", "coder", "\u009b31mred", 1, false));

        String table = text(query, tally);
        assertThat(table).doesNotContain("4711", "\u001b", "\u009b").contains("its tool accesses sensitive data",
                "E_B\\u001b[2J", "\\u009b31mred");
        JsonNode json = new ErrorTable(query, tally).json();
        assertThat(json.toString()).doesNotContain("4711");
        assertThat(json.at("/groups/0/example/sensitive").booleanValue()).isTrue();
    }

    @Test
    void whatIsNoEventIsCountedAsSuch() {
        ErrorTally tally = new ErrorTally(query(ErrorQuery.By.CODE));
        for (String value : List.of("no json", "null", "[]", "{}", "{\"error\":{}}"))
            tally.add(value.getBytes(StandardCharsets.UTF_8));
        tally.add(Json.MAPPER.writeValueAsBytes(Json.MAPPER.createObjectNode().put("toolName", "t")));

        assertThat(tally.unreadable()).isEqualTo(6);
        assertThat(tally.total()).isZero();
    }
}
