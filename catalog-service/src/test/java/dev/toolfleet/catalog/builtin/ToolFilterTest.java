package dev.toolfleet.catalog.builtin;

import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.Steps;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class ToolFilterTest {
    private final Steps steps = new Steps();

    @Test
    void includeShowsWhatItSelectsByNameOrGroup() {
        assertThat(names(config -> config.putObject("include").putArray("tools").add("files__*")))
                .containsExactly("files__read", "files__write");
        assertThat(names(config -> {
            ObjectNode include = config.putObject("include");
            include.putArray("tools").add("files__read");
            include.putArray("groups").add("mail");
        })).containsExactly("files__read", "mail__send");
    }

    @Test
    void excludeHidesAlsoWhatIncludeSelects() {
        assertThat(names(config -> config.putObject("exclude").putArray("groups").add("mail").add("other")))
                .containsExactly("files__read", "files__write");
        assertThat(names(config -> {
            config.putObject("include").putArray("tools").add("*");
            config.putObject("exclude").putArray("tools").add("*__write");
        })).containsExactly("files__read", "mail__send");
    }

    @Test
    void readOnlyShowsOnlyWhatIsDeclaredSo() {
        assertThat(names(config -> config.put("readOnly", true))).containsExactly("files__read");
    }

    @Test
    void layersFurtherInCannotBringBackWhatItHides() {
        steps.layer("adding", 5, (ctx, next) -> {
            ctx.known().forEach(ctx::add);
            next.proceed();
        });
        ObjectNode agent = using(agent("coder", "Tool/files"), "tool-filter",
                config -> config.put("readOnly", true));

        assertThat(steps.apply(files(), using(agent, "adding", config -> {}), extension("adding", "java:adding"),
                extension("tool-filter", "builtin:tool-filter")).names()).containsExactly("files__read");
    }

    @Test
    void aConfigurationThatSaysNothingOrSomethingUnknownClosesTheCatalogAndIsNamed() {
        assertThat(names(config -> {})).isEmpty();
        assertThat(steps.extensions().problems().get("acme/tool-filter")).contains("filters nothing");
        assertThat(names(config -> config.put("readonly", true))).isEmpty();
        assertThat(steps.extensions().problems().get("acme/tool-filter"))
                .contains("Extension/tool-filter spec.config.readonly").contains("readOnly");
        assertThat(names(config -> config.putObject("include").putArray("tools"))).isEmpty();
        assertThat(names(config -> config.putObject("include").putArray("names").add("x"))).isEmpty();
        assertThat(steps.extensions().problems().get("acme/tool-filter")).contains("include.names");
    }

    private List<String> names(Consumer<ObjectNode> config) {
        return steps.apply(files(), inGroup("mail", tool("mail", "send")),
                using(agent("coder", "Tool/files", "Tool/mail"), "tool-filter", config),
                extension("tool-filter", "builtin:tool-filter")).names();
    }

    private static ObjectNode files() {
        ObjectNode files = tool("files", "read", "write");
        Bundles.export(files, "read").putObject("annotations").put("readOnly", true);
        return files;
    }
}
