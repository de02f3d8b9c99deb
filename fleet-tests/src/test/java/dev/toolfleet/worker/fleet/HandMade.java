package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// A bundle, contents and steps that a test writes by hand, for the agent `pilot` of the bundle `acme`.
final class HandMade {
    static final String AGENT = "pilot";
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);

    private final TestFleet fleet;
    private final ResourceTable bundle = new ResourceTable();
    private long revision;

    HandMade(TestFleet fleet) {
        this.fleet = fleet;
    }

    HandMade apply(ObjectNode... resources) {
        return apply(Map.of(), resources);
    }

    /// @param files of each Tool
    HandMade apply(Map<String, String> files, ObjectNode... resources) {
        RevisionPlan plan = RevisionPlan.of("acme", Stream.of(resources)
                .map(resource -> new RevisionPlan.Declared(resource,
                        resource.path("kind").asString().equals("Tool") ? files : Map.of()))
                .toList(), bundle);
        for (RevisionPlan.Entry entry : plan.entries()) {
            bundle.apply(entry.key(), entry.value());
            ResourceRecord value = entry.value();
            fleet.send(Topic.RESOURCE, 0, entry.key(), value == null ? null : RESOURCES.write(value));
        }
        revision = plan.revision();
        return this;
    }

    /// Registers tools, as a worker did until it died.
    void register(RegistrationOwner owner, Instant now, Instant until, String... tools) {
        Map<String, ToolDeclaration> declared = Stream.of(tools).collect(Collectors.toMap(name -> name,
                name -> ToolDeclaration.of(name, "does " + name, Json.MAPPER.createObjectNode())));
        RegistrationPlan.of(new RegistrationPlan.Lease(owner, now, until, "dead"), Optional.empty(), declared)
                .entries().forEach(entry -> fleet.send(Topic.RESOURCE, 0, entry.key(),
                        RESOURCES.write(requireNonNull(entry.value()))));
    }

    /// Returns the tools that the bundle's agent lists.
    List<ToolCatalogItem> items() {
        return AgentTools.items(bundle.view(), AGENT);
    }

    String content(List<ToolCatalogItem> items) {
        byte[] content = Json.MAPPER.writeValueAsBytes(items);
        String digest = Digests.sha256(content);
        fleet.send(Topic.CATALOG_CONTENT, 0, digest, content);
        return digest;
    }

    void step(String instance, String step, int index, String digest, RecentStep... recent) {
        step(instance, step, index, digest, null, recent);
    }

    void step(String instance, String step, int index, String digest, @Nullable String policy, RecentStep... recent) {
        StepCatalog catalog = new StepCatalog(instance, AGENT, "turn", step, index, digest, policy, "acme", revision,
                null, Instant.now(), false, List.of(recent));
        fleet.send(Topic.CATALOG_STEP, fleet.partition(instance), StepCatalog.key(instance, AGENT),
                CATALOGS.write(catalog));
    }

    static RecentStep earlier(String step, String digest) {
        return new RecentStep("turn", step, digest);
    }

    static ToolCall call(String id, String tool, String instance, String step, int index) {
        return call(id, tool, instance, step, index, Map.of());
    }

    static ToolCall call(String id, String tool, String instance, String step, int index, Map<String, Object> args) {
        return ToolCall.of(id, tool, Json.MAPPER.valueToTree(args), instance).inStep(AGENT, "turn", step, index);
    }

    /// The resources as soon as readers show what is wanted.
    FleetResources shown(Predicate<FleetResources> wanted) {
        ResourceTable table = new ResourceTable();
        return fleet.first(Topic.RESOURCE, record -> {
            table.apply(new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : RESOURCES.read(record.value()));
            return wanted.test(table.view()) ? Optional.of(table.view()) : Optional.empty();
        });
    }
}
