package dev.toolfleet.gateway.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ToolErrorEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists in memory, which a test fills. The agents `coder` and `planner` have idempotent tools `n`, `bash__exec` and
/// `t__write`, and one that is not: `rm`.
final class MemoryLists implements FleetLists {
    final List<OpenApproval> approvals = new ArrayList<>();
    final List<ToolErrorEvent> errors = new ArrayList<>();
    final List<Letter> letters = new ArrayList<>();
    InstanceViews views = InstanceViews.NONE;
    private final ResourceTable table = new ResourceTable();
    /// True while the topics cannot be read.
    boolean broken;

    MemoryLists() {
        apply("acme", tool("safe", "idempotent", "n", "bash__exec", "t__write"), tool("unsafe", "openWorld", "rm"),
                agent("coder", "Tool/safe", "Tool/unsafe"), agent("planner", "Tool/safe", "Tool/unsafe"));
    }

    void apply(String bundle, ObjectNode... resources) {
        RevisionPlan.of(bundle,
                Stream.of(resources).map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList(), table)
                .entries().forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    static ObjectNode tool(String name, String annotation, String... exports) {
        ObjectNode tool = resource("Tool", name).put("apiVersion", Kinds.V08);
        ArrayNode list = tool.putObject("spec").put("entry", "java:com.acme.Some").putArray("exports");
        for (String export : exports)
            list.addObject().put("name", export).put("description", "does " + export).putObject("annotations")
                    .put(annotation, true);
        return tool;
    }

    static ObjectNode agent(String name, String... refs) {
        ObjectNode agent = resource("Agent", name);
        ArrayNode tools = agent.putObject("spec").putArray("tools");
        for (String ref : refs)
            tools.addObject().put("ref", ref);
        return agent;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }

    @Override
    public FleetResources resources() {
        return table.view();
    }

    @Override
    public InstanceViews views() {
        return views;
    }

    @Override
    public Answer<List<OpenApproval>> approvals(Predicate<OpenApproval> wanted) {
        return answer(approvals.stream().filter(wanted).toList());
    }

    /// The position is the number of errors that were read, on a single partition.
    @Override
    public Answer<ErrorPage> errors(ErrorFilter filter, @Nullable TopicPosition after, int limit) {
        int from = after == null ? 0 : after.offsets().getOrDefault(0, 0L).intValue();
        List<ToolErrorEvent> page = new ArrayList<>();
        int next = from;
        while (next < errors.size() && page.size() < limit) {
            if (filter.selects(errors.get(next)))
                page.add(errors.get(next));
            next++;
        }
        return answer(new ErrorPage(page, TopicPosition.parse("0-" + next), next == errors.size()));
    }

    @Override
    public Answer<LetterPage> letters(LetterFilter filter, boolean all, int limit) {
        List<Letter> found = letters.stream()
                .filter(letter -> filter.means(letter, "") && (all || letter.fate().isEmpty())).toList();
        List<Letter> newest = found.subList(0, Math.min(limit, found.size()));
        return answer(new LetterPage(newest, found.size() - newest.size()));
    }

    private <T> Answer<T> answer(T value) {
        return broken ? new Answer.Unavailable<>("the topic cannot be read") : new Answer.Found<>(value);
    }
}
