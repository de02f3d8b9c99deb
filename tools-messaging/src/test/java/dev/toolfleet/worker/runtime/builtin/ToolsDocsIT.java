package dev.toolfleet.worker.runtime.builtin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The table of `docs/tools.md` is what the built-in bundle declares. `-Dtoolfleet.docs.write=true` writes it anew.
class ToolsDocsIT {
    private static final Path PAGE = Path.of("../docs/tools.md");
    private static final String BEGIN = "<!-- built-in tools: begin -->\n";
    private static final String END = "<!-- built-in tools: end -->";

    @Test
    void theTableOfBuiltInToolsIsWhatTheBundleDeclares() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertThat(begin).as("the page has %s and %s", BEGIN, END).isBetween(BEGIN.length(), end);
        String table = ToolTable.of(BuiltinBundle.load().bundle());
        if (Boolean.getBoolean("toolfleet.docs.write"))
            Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));

        assertThat(Files.readString(PAGE)).as("docs/tools.md and the built-in bundle differ; run this test with"
                + " -Dtoolfleet.docs.write=true to write the table anew").contains(BEGIN + table + END);
    }

    @Test
    void nothingOfTheBundleIsLeftOut() {
        assertThat(BuiltinBundle.load().problems()).filteredOn(problem -> problem.severity() == Severity.ERROR)
                .isEmpty();
    }

    @Test
    void everyBuiltInExportSaysWhatItTakesAndAnswers() {
        for (var tool : BuiltinBundle.load().bundle().ofKind("Tool"))
            for (var export : tool.spec().path("exports"))
                for (String field : new String[]{"description", "parameters", "outputSchema", "annotations"})
                    assertThat(export.has(field)).as("%s of %s %s", field, tool.name(), export.path("name")).isTrue();
    }
}
