package dev.toolfleet.bundle.check;

import java.util.regex.Pattern;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolNaming;

/// Checks of every kind: its name.
final class EnvelopeRules {
    private static final int NAME_LIMIT = 63;
    private static final Pattern RECOMMENDED = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final Pattern PACKAGE = Pattern.compile("(@[A-Za-z0-9][A-Za-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*");

    private EnvelopeRules() {}

    static void check(Place document, Findings findings) {
        Place name = document.get("metadata").get("name");
        Resource resource = document.resource();
        String kind = resource.kind();
        String text = name.node().stringValue("");
        if (kind.equals(Kinds.PACKAGE) && text.equals(OperatorDenial.BUNDLE)) {
            findings.error(ProblemCode.E_CONFIG_INVALID_NAME, name,
                    "The name '" + text + "' is reserved for operators' denials.",
                    "Choose another, such as @acme/builds.");
            return;
        }
        if (kind.equals(Kinds.TOOL) && ToolNaming.of(resource.document()) == ToolNaming.SEPARATED) {
            toolName(name, text, findings);
        } else if (!(kind.equals(Kinds.PACKAGE) ? PACKAGE : USABLE).matcher(text).matches()) {
            findings.error(ProblemCode.E_CONFIG_INVALID_NAME, name,
                    "The name '" + text
                            + "' may hold only letters, digits, '.', '_' and '-', and begins with a letter or digit.",
                    "References and keys of records are built from it.");
        } else if (!kind.equals(Kinds.PACKAGE) && !RECOMMENDED.matcher(text).matches()) {
            findings.hint(ProblemCode.E_CONFIG_INVALID_NAME, name, "The name '" + text + "' is unusual.",
                    "Lower-case letters, digits and '-' are the custom, beginning with a letter.");
        }
        if (text.length() > NAME_LIMIT && !kind.equals(Kinds.PACKAGE)) {
            findings.warning(ProblemCode.E_CONFIG_INVALID_NAME, name,
                    "The name has " + text.length() + " characters; more than " + NAME_LIMIT
                            + " are asking for trouble.",
                    "Shorten it.");
        }
    }

    /// Checks a tool's name; exports' names follow the same rule.
    static void toolName(Place name, String text, Findings findings) {
        ToolName.partProblem(text).ifPresentOrElse(
                problem -> findings.error(ProblemCode.E_CONFIG_INVALID_NAME, name,
                        "The name '" + text + "' " + problem + ".",
                        "A model calls resource__export."),
                () -> upperCase(name, text, findings));
    }

    /// Hints at unusual upper case, which the seeds' own tools have too.
    static void upperCase(Place name, String text, Findings findings) {
        if (text.chars().anyMatch(Character::isUpperCase)) {
            findings.hint(ProblemCode.E_CONFIG_INVALID_NAME, name, "The name '" + text + "' has an upper-case letter.",
                    "It works; lower-case letters, digits, '_' and '-' are the custom.");
        }
    }
}
