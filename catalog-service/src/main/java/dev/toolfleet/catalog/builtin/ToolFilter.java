package dev.toolfleet.catalog.builtin;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepTool;
import tools.jackson.databind.node.ObjectNode;

/// The built-in extension `tool-filter`: shows the tools that `config.include` selects (all, when it is absent) and
/// `config.exclude` does not. Both select by `tools` (names with `*` and `?`) and `groups`. With `config.readOnly` it
/// shows only tools that are declared read-only. Layers inside it cannot bring back a tool that it hides.
public final class ToolFilter implements ExtensionModule {
    private static final String PATH = "Extension/tool-filter spec.config";

    /// Selection of tools by name or group.
    private record Selection(List<Wildcard> names, List<String> groups) {
        static Optional<Selection> of(ExtensionConfig config, String key) {
            return config.section(key, Set.of("tools", "groups")).map(section -> new Selection(
                    section.texts("tools").stream().map(Wildcard::new).toList(), section.texts("groups")));
        }

        boolean has(StepTool tool) {
            String group = tool.item().group();
            return names.stream().anyMatch(glob -> glob.matches(tool.name()))
                    || (group != null && groups.contains(group));
        }
    }

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode json) {
        ExtensionConfig config = new ExtensionConfig(PATH, json, Set.of("include", "exclude", "readOnly", "priority"));
        Optional<Selection> include = Selection.of(config, "include");
        Optional<Selection> exclude = Selection.of(config, "exclude");
        boolean readOnly = config.flag("readOnly", false);
        if (include.isEmpty() && exclude.isEmpty() && !readOnly) {
            throw new IllegalArgumentException(
                    PATH + " filters nothing; set include, exclude or readOnly: true, or remove the extension.");
        }
        registrar.step(config.whole("priority", 0, Integer.MIN_VALUE), (ctx, next) -> {
            ctx.keep(tool -> shows(tool, include, exclude, readOnly));
            next.proceed();
            ctx.keep(tool -> shows(tool, include, exclude, readOnly));
        });
    }

    private static boolean shows(StepTool tool, Optional<Selection> include, Optional<Selection> exclude,
            boolean readOnly) {
        return include.map(selection -> selection.has(tool)).orElse(true)
                && exclude.map(selection -> !selection.has(tool)).orElse(true) && (!readOnly || tool.readOnly());
    }
}
