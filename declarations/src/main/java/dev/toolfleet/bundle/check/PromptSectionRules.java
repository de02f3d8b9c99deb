package dev.toolfleet.bundle.check;

import java.util.regex.Pattern;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.PromptSectionSpec;

/// Checks `kind: PromptSection`: its id is none of the sections that every prompt has, and its title is one line.
final class PromptSectionRules {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]*");

    private PromptSectionRules() {}

    static void check(Place document, Place spec, Check check) {
        Place name = document.get("metadata").get("name");
        String id = document.resource().name();
        if (!ID.matcher(id).matches())
            check.findings().error(ProblemCode.E_CONFIG_INVALID_NAME, name,
                    "The section's name '" + id + "' may hold only lower-case letters, digits and '-'.",
                    "Choose another, such as team-style.");
        else if (PromptSectionSpec.BUILT_IN.contains(id))
            check.findings().error(ProblemCode.E_CONFIG_DUPLICATE_NAME, name,
                    "Every prompt has a section '" + id + "' already.", "Choose another name.");
        Place title = spec.get("title");
        if (title.text().filter(text -> text.strip().lines().count() > 1).isPresent())
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, title,
                    title.path() + " must be one line.", "Move the rest to text.");
        NamedAgents.check(spec, check);
    }
}
