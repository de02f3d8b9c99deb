package dev.toolfleet.bundle.check;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolNaming;

/// Checks one item of a Tool's `exports`.
final class ExportRules {
    private final Place export;
    private final Check check;
    private final Findings findings;

    private ExportRules(Place export, Check check) {
        this.export = export;
        this.check = check;
        findings = check.findings();
    }

    static void check(Place export, boolean runnable, Check check) {
        ExportRules rules = new ExportRules(export, check);
        boolean dotted = ToolNaming.of(export.resource().document()) == ToolNaming.DOTTED;
        if (dotted)
            rules.dottedName();
        else
            rules.name();
        rules.description();
        check.schemas().check(export.get("parameters"), check);
        check.schemas().checkOutput(export.get("outputSchema"), check);
        rules.validateOutput();
        rules.annotations(runnable);
        rules.group();
        rules.poll(export.get("async").get("poll"));
        LimitRules.check(export, check.findings());
    }

    private void name() {
        Place name = export.get("name");
        String resource = export.resource().name();
        name.text().ifPresent(text -> {
            EnvelopeRules.toolName(name, text, findings);
            tooLong(name, resource + "__" + text);
        });
    }

    private void dottedName() {
        Place name = export.get("name");
        name.text().ifPresent(text -> {
            ToolNaming.DOTTED.problem("", text).ifPresentOrElse(
                    problem -> findings.error(ProblemCode.E_CONFIG_INVALID_NAME, name,
                            "The name '" + text + "' " + problem + ".", "A model calls namespace.action."),
                    () -> EnvelopeRules.upperCase(name, text, findings));
            if (text.indexOf('.') < 0)
                findings.hint(ProblemCode.E_CONFIG_INVALID_NAME, name, "The name '" + text + "' has no namespace.",
                        "It has to be unique among all tools of an agent: namespace.action is the custom.");
            tooLong(name, text);
        });
    }

    private void tooLong(Place name, String full) {
        if (full.length() > ToolName.PROVIDER_LIMIT) {
            findings.warning(ProblemCode.E_CONFIG_INVALID_NAME, name,
                    "The full name " + full + " has " + full.length() + " characters.",
                    "Model providers accept " + ToolName.PROVIDER_LIMIT
                            + "; shorten the Tool's or the export's name.");
        }
    }

    private void description() {
        Place description = export.get("description");
        if (!description.present() || description.node().stringValue("x").isBlank()) {
            findings.hint(ProblemCode.E_CONFIG_DESCRIPTION_MISSING, description, "The export has no description.",
                    "A model chooses by it.");
        }
    }

    private void validateOutput() {
        Place flag = export.get("validateOutput");
        if (flag.node().asBoolean(false) && !export.get("outputSchema").present()) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, flag,
                    "validateOutput has nothing to check by: the export has no outputSchema.",
                    "Add outputSchema, a JSON Schema of what the export answers, or remove validateOutput.");
        }
    }

    private void annotations(boolean runnable) {
        Place annotations = export.get("annotations");
        Place readOnly = annotations.get("readOnly");
        if (readOnly.node().asBoolean(false) && annotations.get("destructive").node().asBoolean(false)) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, annotations,
                    "The export declares that it changes nothing (readOnly) and that it destroys (destructive).",
                    "Remove one of them.");
        }
        if (runnable && !readOnly.present() && !annotations.get("idempotent").present()) {
            findings.hint(ProblemCode.E_CONFIG_ANNOTATIONS_MISSING, export,
                    "The export declares neither readOnly nor idempotent, so it counts as neither, as in MCP: each call"
                            + " waits for one more transaction before it starts (its intent), runs alone in its"
                            + " instance's lane, and ends with E_TOOL_OUTCOME_UNKNOWN if its worker dies while it runs.",
                    "If one is true, add annotations: {readOnly: true} or {idempotent: true}. If neither is, write"
                            + " {idempotent: false}, and let the module's reconcile decide whether a call happened.");
        }
    }

    private void group() {
        Set<String> groups = check.groups();
        export.get("group").text().filter(group -> !groups.contains(group))
                .ifPresent(group -> findings.warning(ProblemCode.E_CONFIG_REF_NOT_FOUND, export.get("group"),
                        "No ToolGroup is called '" + group + "'.",
                        Nearest.hint(group, groups, "There is: " + String.join(", ", groups) + ".")));
    }

    private void poll(Place poll) {
        Optional<Duration> interval = Durations.parse(poll.get("interval").node().asString(""));
        Optional<Duration> longest = Durations.parse(poll.get("maxInterval").node().asString(""));
        if (longest.isPresent() && longest.get().compareTo(interval.orElse(PollSpec.DEFAULT_INTERVAL)) < 0) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, poll.get("maxInterval"),
                    "maxInterval is shorter than the interval, which is "
                            + interval.orElse(PollSpec.DEFAULT_INTERVAL).toSeconds() + " s.",
                    "Leave it out for ten times the interval.");
        }
    }
}
