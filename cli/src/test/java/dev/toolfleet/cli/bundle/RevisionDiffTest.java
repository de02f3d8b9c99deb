package dev.toolfleet.cli.bundle;

import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class RevisionDiffTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void theFirstRevisionIsAllNew() {
        assertThat(diff(tool("a", "10m", "sha256:1"))).containsExactly(
                "@x/y would go from no revision to revision 1: 1 added, 0 changed, 0 pruned, 0 unchanged; nothing was written",
                "  + Tool/a", "      + spec.entry: \"./a.jar#a.A\"",
                "      + spec.exports: [{\"name\":\"run\",\"timeout\":\"10m\"}]");
    }

    @Test
    void aLaterOneSaysFieldByFieldWhatIsDifferent() {
        apply(tool("a", "10m", "sha256:1"), tool("gone", "1m", "sha256:3"), tool("same", "1m", "sha256:3"));

        assertThat(diff(tool("a", "20m", "sha256:2"), tool("same", "1m", "sha256:3"))).containsExactly(
                "@x/y would go from revision 1 to revision 2: 0 added, 1 changed, 1 pruned, 1 unchanged; nothing was written",
                "  ~ Tool/a", "      ~ spec.exports[run].timeout: \"10m\" → \"20m\"",
                "      ~ files.a.jar: \"sha256:1\" → \"sha256:2\"", "  - Tool/gone");
    }

    @Test
    void theSameAgainWouldChangeNothing() {
        apply(tool("a", "10m", "sha256:1"));

        assertThat(diff(tool("a", "10m", "sha256:1")))
                .containsExactly("nothing would change: @x/y is at revision 1 already; 1 resources");
    }

    private List<String> diff(RevisionPlan.Declared... resources) {
        return RevisionDiff.of(RevisionPlan.of("@x/y", List.of(resources), table), table).lines(new Style(false), 200);
    }

    private void apply(RevisionPlan.Declared... resources) {
        RevisionPlan.of("@x/y", List.of(resources), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private static RevisionPlan.Declared tool(String name, String timeout, String digest) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", "Tool");
        tool.putObject("metadata").put("name", name);
        tool.putObject("spec").put("entry", "./a.jar#a.A").putArray("exports").addObject().put("name", "run")
                .put("timeout", timeout);
        return new RevisionPlan.Declared(tool, Map.of("a.jar", digest));
    }
}
