package dev.toolfleet.bundle.check;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolNaming;

/// Checks one item of a Tool's `exports`.
final class ExportRules {
    private static final Set<String> FIELDS = Set.of("name", "description", "parameters", "outputSchema", "annotations",
            "group", "requiresApproval", "isTransactional", "accessesSensitiveData", "timeout", "retry", "limits",
            "async");
    private static final Set<String> V08_FIELDS = Stream.concat(FIELDS.stream(), Stream.of("auth"))
            .collect(Collectors.toUnmodifiableSet());
    private static final Set<String> ANNOTATIONS = Set.of("readOnly", "idempotent", "destructive", "openWorld");

    private final Place export;
    private final Check check;
    private final Shapes shapes;
    private final Findings findings;

    private ExportRules(Place export, Check check) {
        this.export = export;
        this.check = check;
        shapes = check.shapes();
        findings = check.findings();
    }

    static void check(Place export, boolean runnable, Check check) {
        ExportRules rules = new ExportRules(export, check);
        boolean dotted = ToolNaming.of(export.resource().document()) == ToolNaming.DOTTED;
        check.knownFields(export, dotted ? V08_FIELDS : FIELDS);
        if (dotted)
            rules.dottedName();
        else
            rules.name();
        rules.description();
        check.schemas().check(export.get("parameters"), check);
        check.schemas().checkOutput(export.get("outputSchema"), check);
        rules.annotations(runnable);
        rules.policy();
        rules.execution();
    }

    private void name() {
        Place name = export.get("name");
        String resource = export.resource().name();
        shapes.requiredText(name, "The model calls " + resource + "__NAME.").ifPresent(text -> {
            EnvelopeRules.toolName(name, text, findings);
            tooLong(name, resource + "__" + text);
        });
    }

    private void dottedName() {
        Place name = export.get("name");
        shapes.requiredText(name, "The model calls the export by it, as in slack.postMessage.").ifPresent(text -> {
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
        } else {
            shapes.text(description);
        }
    }

    private void annotations(boolean runnable) {
        Place annotations = export.get("annotations");
        shapes.mapping(annotations);
        check.knownFields(annotations, ANNOTATIONS);
        ANNOTATIONS.forEach(name -> shapes.flag(annotations.get(name)));
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

    private void policy() {
        shapes.flag(export.get("requiresApproval"));
        shapes.flag(export.get("isTransactional"));
        shapes.flag(export.get("accessesSensitiveData"));
        Set<String> groups = ToolGroupRules.known(check);
        shapes.text(export.get("group")).filter(group -> !groups.contains(group))
                .ifPresent(group -> findings.warning(ProblemCode.E_CONFIG_REF_NOT_FOUND, export.get("group"),
                        "No ToolGroup is called '" + group + "'.",
                        Nearest.hint(group, groups, "There is: " + String.join(", ", groups) + ".")));
    }

    private void poll(Place poll) {
        if (!shapes.mapping(poll))
            return;
        check.knownFields(poll, Set.of("interval", "factor", "maxInterval"));
        shapes.duration(poll.get("interval"));
        shapes.duration(poll.get("maxInterval"));
        shapes.positive(poll.get("factor"));
        double factor = poll.get("factor").node().asDouble(1);
        if (factor < 1 || factor > 100) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, poll.get("factor"),
                    "The interval grows by the factor with each question: it is from 1 to 100.",
                    "Write 1 for a steady interval, or 1.5.");
        }
        Optional<Duration> interval = Durations.parse(poll.get("interval").node().asString(""));
        Optional<Duration> longest = Durations.parse(poll.get("maxInterval").node().asString(""));
        if (longest.isPresent() && longest.get().compareTo(interval.orElse(PollSpec.DEFAULT_INTERVAL)) < 0) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, poll.get("maxInterval"),
                    "maxInterval is shorter than the interval, which is "
                            + interval.orElse(PollSpec.DEFAULT_INTERVAL).toSeconds() + " s.",
                    "Leave it out for ten times the interval.");
        }
    }

    private void execution() {
        shapes.duration(export.get("timeout"));
        Place async = export.get("async");
        if (async.present() && !async.node().isBoolean() && shapes.mapping(async)) {
            check.knownFields(async, Set.of("timeout", "heartbeatTimeout", "poll"));
            shapes.duration(async.get("timeout"));
            shapes.duration(async.get("heartbeatTimeout"));
            poll(async.get("poll"));
        }
        LimitRules.check(export, check);
    }
}
