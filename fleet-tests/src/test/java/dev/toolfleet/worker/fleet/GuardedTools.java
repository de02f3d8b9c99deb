package dev.toolfleet.worker.fleet;

import java.util.List;

import dev.toolfleet.worker.TestResources;
import tools.jackson.databind.node.ObjectNode;

/// Tools of which two add a label and one sends, under a policy with `trust: guarded`: `web__echo` reads the web,
/// `vault__echo` reads secrets, `post__write` sends.
final class GuardedTools {
    private GuardedTools() {}

    static List<ObjectNode> resources() {
        ObjectNode web = TestResources.tool("web", TestTools.class, "echo");
        TestResources.export(web, "echo").put("sends", false).putObject("annotations").put("readOnly", true)
                .put("openWorld", true);
        ObjectNode vault = TestResources.tool("vault", TestTools.class, "echo");
        TestResources.export(vault, "echo").put("accessesSensitiveData", true).putObject("annotations")
                .put("readOnly", true);
        ObjectNode post = TestResources.tool("post", TestTools.class, "write");
        TestResources.export(post, "write").put("sends", true);
        ObjectNode policy = TestResources.resource("ToolPolicy", "p");
        policy.putObject("spec").put("trust", "guarded").putArray("rules");
        return List.of(web, vault, post, policy);
    }
}
