package dev.toolfleet.publishing.changeset;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Outputs of the Tool `swarm-bundle`, in the shapes of the specification.
final class Answers {
    private static final List<String> RECOMMENDED = List.of("goondan.yaml", "toolfleet.yaml", "resources/**",
            "prompts/**", "tools/**", "skills/**");

    private Answers() {}

    static ObjectNode opened(OpenChangeset changeset, Path workdir) {
        ObjectNode answer = open(changeset, workdir);
        ObjectNode hint = answer.putObject("hint").put("bundleRootInWorkdir", ".");
        texts(hint.putArray("recommendedFiles"), RECOMMENDED);
        return answer;
    }

    static ObjectNode open(OpenChangeset changeset, Path workdir) {
        return Json.MAPPER.createObjectNode().put("changesetId", changeset.changesetId())
                .put("baseRef", changeset.baseRef()).put("workdir", workdir.toString());
    }

    static ObjectNode committed(String id, Outcome outcome) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        switch (outcome) {
            case Outcome.Done done -> {
                begin(answer, "ok", id, done.baseRef()).put("newRef", done.newRef());
                if (done.revision() > 0)
                    answer.put("revision", done.revision());
                answer.set("summary", summary(done.changes()));
            }
            case Outcome.Rejected rejected -> {
                ObjectNode error = begin(answer, "rejected", id, rejected.baseRef()).putObject("error")
                        .put("code", rejected.code()).put("message", rejected.message());
                if (!rejected.files().isEmpty())
                    texts(error.putArray("violatedFiles"), rejected.files());
                if (!rejected.problems().isEmpty()) {
                    ArrayNode problems = error.putArray("problems");
                    rejected.problems().forEach(problem -> problems.add(ProblemText.json(problem)));
                }
            }
            case Outcome.Conflict conflict -> {
                begin(answer, "conflict", id, conflict.baseRef());
                texts(answer.putArray("conflictFiles"), conflict.files());
                answer.put("recoveryHint", "Others have changed these files since the changeset was opened. Open a new"
                        + " changeset, make the changes there, and discard this one; its files are still there.")
                        .putObject("error").put("code", "MERGE_CONFLICT").put("message",
                                "Changed by others meanwhile: " + String.join(", ", conflict.files()));
            }
        }
        return answer;
    }

    private static ObjectNode begin(ObjectNode answer, String status, String id, String baseRef) {
        answer.put("status", status).put("changesetId", id);
        if (!baseRef.isEmpty())
            answer.put("baseRef", baseRef);
        return answer;
    }

    static ObjectNode summary(Changes changes) {
        ObjectNode summary = Json.MAPPER.createObjectNode();
        texts(summary.putArray("filesChanged"), changes.changed().keySet());
        texts(summary.putArray("filesAdded"), changes.added().keySet());
        texts(summary.putArray("filesDeleted"), changes.deleted());
        return summary;
    }

    private static void texts(ArrayNode array, Collection<String> texts) {
        texts.forEach(array::add);
    }
}
