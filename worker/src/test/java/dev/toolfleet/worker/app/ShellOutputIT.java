package dev.toolfleet.worker.app;

import java.util.Map;

import dev.toolfleet.bundle.Resource;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.guard.FleetGuard;
import dev.toolfleet.worker.guard.FleetSecrets;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The built-in tools, as they ship, under the guard, called by an agent of another bundle.
class ShellOutputIT {
    private static final String PAGE = "<html><body>List<String> <b>x</b></body></html>";

    private final TestResources bundles = new TestResources();
    private final ResourceTable table = new ResourceTable();

    private void declare(String bundle, ObjectNode... resources) {
        bundles.plan(bundle, resources).forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    private FleetGuard fleet(ObjectNode... more) {
        declare(FleetResources.BUILT_IN, BuiltinBundle.load().bundle().resources().stream()
                .map(Resource::document).toArray(ObjectNode[]::new));
        ObjectNode[] acme = new ObjectNode[more.length + 1];
        acme[0] = TestResources.agent("coder", "Tool/bash");
        System.arraycopy(more, 0, acme, 1, more.length);
        declare("acme", acme);
        return new FleetGuard(table::view, new FleetSecrets(Map.of(), Map.of()), 1 << 20);
    }

    private static String guarded(FleetGuard guard, String tool, String stdout) {
        ToolReply reply = guard.guard(new GuardedCall(tool, "coder", null),
                new ToolReply.Ok(Json.MAPPER.createObjectNode().put("stdout", stdout))).reply();
        return ((ToolReply.Ok) reply).output().path("stdout").stringValue();
    }

    @Test
    void whatCommandsAndFilesSayKeepsItsAngleBrackets() {
        FleetGuard guard = fleet();

        for (String tool : new String[]{"bash__exec", "bash__script", "file-system__read"})
            assertThat(guarded(guard, tool, PAGE)).as(tool).isEqualTo(PAGE);
        assertThat(guarded(guard, "http-fetch__get", PAGE)).doesNotContain("<b>");
    }

    @Test
    void aGuardOfTheAgentsBundleMaySayOtherwise() {
        ObjectNode strict = TestResources.resource("ResultGuard", "strict");
        strict.putObject("spec").put("tool", "bash__exec").put("sanitizeHtml", true);

        FleetGuard guard = fleet(strict);

        assertThat(guarded(guard, "bash__exec", PAGE)).doesNotContain("<b>");
        assertThat(guarded(guard, "bash__script", PAGE)).isEqualTo(PAGE);
    }
}
