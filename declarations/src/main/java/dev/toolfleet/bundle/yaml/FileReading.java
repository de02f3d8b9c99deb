package dev.toolfleet.bundle.yaml;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.SourcePosition;
import dev.toolfleet.bundle.yaml.NodeReader.YamlDocument;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reading of one file, from bytes to resources. A file that is not meant as resources (a compose file, a chart's
/// template) costs one notice, whatever it holds.
final class FileReading {
    private static final Pattern OUR_API = Pattern
            .compile(
                    "(?m)^[ \\t]*[\"']?apiVersion[\"']?\\s*:\\s*[\"']?(goondan\\.ai|toolfleet\\.dev|agents\\.example\\.io)/");

    private final String file;
    private final List<Resource> resources = new ArrayList<>();
    private final List<BundleProblem> problems = new ArrayList<>();

    FileReading(String file) {
        this.file = file;
    }

    List<Resource> resources() {
        return resources;
    }

    List<BundleProblem> problems() {
        return problems;
    }

    void tooLarge(long size, long limit) {
        BundleProblem problem = BundleProblem.error(ProblemCode.E_CONFIG_FILE_TOO_LARGE,
                "The file has " + size + " bytes; at most " + limit + " are read.", SourcePosition.ofFile(file),
                "Split it into several files.");
        problems.add(BundleFolder.namedLikeResources(file) ? problem : skipped("it is larger than 1 MiB"));
    }

    void unreadable(Exception e) {
        problems.add(BundleProblem.error(ProblemCode.E_CONFIG_FILE_UNREADABLE, "Cannot read the file: " + e,
                SourcePosition.ofFile(file), "Check its permissions."));
    }

    void read(byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            problems.add(BundleFolder.namedLikeResources(file)
                    ? BundleProblem.error(ProblemCode.E_CONFIG_PARSE_ERROR,
                            "The file is not UTF-8.", SourcePosition.ofFile(file), "Save it as UTF-8.")
                    : skipped("it is not UTF-8"));
            return;
        }
        if (text.startsWith("\uFEFF"))
            text = text.substring(1);
        if (SkillText.isFile(file))
            readSkill(text);
        else
            readResources(text);
    }

    private void readSkill(String text) {
        Optional<SkillText> skill = SkillText.of(text);
        if (skill.isEmpty()) {
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_PARSE_ERROR,
                    "The skill does not begin with fields between two lines of ---.",
                    new SourcePosition(file, 1, 1),
                    "Begin the file with ---, name: and description:, and another ---; the instructions follow."));
            return;
        }
        YamlText.Parsed parsed = YamlText.parse(file, skill.get().fields());
        problems.addAll(parsed.problems());
        parsed.documents().forEach(fields -> add(skill.get().document(fields, file)));
        if (parsed.documents().isEmpty() && parsed.problems().isEmpty())
            problems.add(BundleProblem.error(ProblemCode.E_CONFIG_INVALID_NAME, "The skill has no fields.",
                    new SourcePosition(file, 1, 1), "Write name: and description: between the two lines of ---."));
    }

    private void readResources(String text) {
        YamlText.Parsed parsed = YamlText.parse(file, text);
        if (!meantAsResources(text, parsed)) {
            problems.add(skipped(parsed.problems().isEmpty()
                    ? "no document in it has an apiVersion and kind of ours"
                    : "it is not plain YAML and names no apiVersion of ours"));
            return;
        }
        problems.addAll(parsed.problems());
        parsed.documents().forEach(this::add);
    }

    private boolean meantAsResources(String text, YamlText.Parsed parsed) {
        return BundleFolder.namedLikeResources(file) || OUR_API.matcher(text).find()
                || parsed.documents().stream().map(YamlDocument::value).anyMatch(FileReading::looksLikeOurs);
    }

    private static boolean looksLikeOurs(JsonNode document) {
        return document.path("apiVersion").isString() && Kinds.known(document.path("kind").stringValue(""));
    }

    private void add(YamlDocument document) {
        if (!(document.value() instanceof ObjectNode json)) {
            problem(ProblemCode.E_CONFIG_SCHEMA_INVALID, "The document is no mapping.", document, DocPath.ROOT,
                    "A resource begins with apiVersion:, kind: and metadata:.");
            return;
        }
        String apiVersion = text(document, json.path("apiVersion"), ProblemCode.E_CONFIG_UNSUPPORTED_API_VERSION,
                DocPath.ROOT.key("apiVersion"),
                "Write apiVersion: " + Kinds.GOONDAN_V1 + " or " + Kinds.TOOLFLEET_V1 + ".");
        String kind = text(document, json.path("kind"), ProblemCode.E_CONFIG_UNKNOWN_KIND, DocPath.ROOT.key("kind"),
                "Write kind: Tool, Agent, Swarm or another kind.");
        String name = text(document, json.path("metadata").path("name"), ProblemCode.E_CONFIG_INVALID_NAME,
                DocPath.ROOT.key("metadata").key("name"), "Write metadata: with name: inside.");
        if (!kind.isEmpty() && !name.isEmpty()) {
            resources.add(new Resource(apiVersion, kind, name, json, document.source(), document.index()));
        }
    }

    private String text(YamlDocument document, JsonNode value, ProblemCode code, DocPath path, String hint) {
        if (value.isString() && !value.stringValue().isBlank()) {
            return value.stringValue();
        }
        String what = value.isMissingNode() || value.isNull()
                ? " is missing."
                : " must be a text that is not blank, and is " + value + ".";
        problem(code, path + what, document, path, hint);
        return "";
    }

    private void problem(ProblemCode code, String message, YamlDocument document, DocPath path, String hint) {
        problems.add(
                new BundleProblem(Severity.ERROR, code, message, document.source().value(path), path.toString(), hint));
    }

    private BundleProblem skipped(String why) {
        return BundleProblem.notice(ProblemCode.E_CONFIG_FILE_SKIPPED, "Not taken for a resource file: " + why + ".",
                SourcePosition.ofFile(file),
                "If it holds resources, give each document apiVersion: and kind:, or name the file resources.yaml.");
    }
}
