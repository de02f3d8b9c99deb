package dev.toolfleet.resources;

import dev.toolfleet.bundle.Ref;
import dev.toolfleet.wire.ToolRef;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;

class FleetResourcesTest {
    private final ResourceTable table = new ResourceTable();

    @Test
    void aReferenceMeansItsOwnBundleThenTheBuiltInOne() {
        apply(table, plan(table, "@toolfleet/base", tool("bash", "exec"), tool("wait", "for")));
        apply(table, plan(table, "acme", tool("bash", "mine")));

        assertThat(table.view().tool("acme", new Ref("Tool", "bash", null)).orElseThrow().bundle()).isEqualTo("acme");
        assertThat(table.view().tool("acme", new Ref("Tool", "wait", null)).orElseThrow().bundle())
                .isEqualTo("@toolfleet/base");
        assertThat(table.view().tool("acme", new Ref("Tool", "none", null))).isEmpty();
        assertThat(table.view().tool("acme", new Ref("Agent", "bash", null))).isEmpty();
    }

    @Test
    void aNamedPackageIsTheOnlyPlaceToLook() {
        apply(table, plan(table, "@toolfleet/base", tool("bash", "exec")));
        apply(table, plan(table, "acme", tool("bash", "mine"), tool("own", "x")));
        apply(table, plan(table, "@other/tools", tool("bash", "theirs")));

        FleetResources view = table.view();
        assertThat(view.tool("acme", new Ref("Tool", "bash", "@goondan/base")).orElseThrow().bundle())
                .isEqualTo("@toolfleet/base");
        assertThat(view.tool("acme", new Ref("Tool", "bash", "@other/tools")).orElseThrow().export("theirs"))
                .isPresent();
        assertThat(view.tool("acme", new Ref("Tool", "own", "@other/tools"))).isEmpty();
        assertThat(view.tool(new ToolRef("@other/tools", "bash", "theirs"))).isPresent();
    }

    @Test
    void anAgentInSeveralBundlesIsThatOfTheFirstName() {
        apply(table, plan(table, "zeta", agent("coder")));
        assertThat(table.view().agent("coder").orElseThrow().bundle()).isEqualTo("zeta");

        apply(table, plan(table, "beta", agent("coder")));
        DeclaredAgent found = table.view().agent("coder").orElseThrow();
        assertThat(found.bundle()).isEqualTo("beta");
        assertThat(found.alsoIn()).containsExactly("zeta");
        assertThat(table.view().agent("nobody")).isEmpty();
    }
}
