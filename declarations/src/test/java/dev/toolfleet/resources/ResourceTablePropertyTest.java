package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class ResourceTablePropertyTest {
    /// One `apply`: the Tools that a bundle then consists of, and a word in all of them.
    record Apply(String bundle, Set<String> tools, String word) {}

    /// The topic after some applies, and each bundle's content at each revision.
    private record Written(List<RevisionPlan.Entry> log, Map<String, Map<Long, Map<String, String>>> revisions) {
        @Nullable
        Map<String, String> content(String bundle, long revision) {
            return revisions.getOrDefault(bundle, Map.of()).get(revision);
        }
    }

    @Property(seed = "4711", tries = 200)
    void everyPrefixOfTheTopicShowsTheLastActiveRevisions(@ForAll("applies") List<Apply> applies) {
        Written written = write(applies);
        ResourceTable table = new ResourceTable();
        Map<String, Long> active = new HashMap<>();
        for (RevisionPlan.Entry entry : written.log()) {
            table.apply(entry.key(), entry.value());
            if (entry.value() != null && RevisionMark.is(entry.value()))
                active.put(entry.value().bundle(), entry.value().revision());
            assertThat(table.view().bundles().keySet()).isEqualTo(active.keySet());
            active.forEach((bundle, revision) -> assertThat(shown(table, bundle))
                    .isEqualTo(written.content(bundle, revision)));
        }
    }

    @Property(seed = "4712", tries = 200)
    void whateverCompactionTookAwayOnlyWholeRevisionsShow(@ForAll("applies") List<Apply> applies, @ForAll long seed) {
        Written written = write(applies);
        ResourceTable table = new ResourceTable();
        for (RevisionPlan.Entry entry : compacted(written.log(), new Random(seed))) {
            table.apply(entry.key(), entry.value());
            for (BundleResources bundle : table.view().bundles().values()) {
                assertThat(shown(table, bundle.name()))
                        .isEqualTo(written.content(bundle.name(), bundle.revision()));
            }
        }
        assertShowsTheNewest(table, written);
    }

    @Property(seed = "4713", tries = 200)
    void theNewestRecordsInAnyOrderShowTheNewestRevisions(@ForAll("applies") List<Apply> applies, @ForAll long seed) {
        Written written = write(applies);
        Map<String, RevisionPlan.Entry> newest = new LinkedHashMap<>();
        written.log().forEach(entry -> newest.put(entry.key(), entry));
        List<RevisionPlan.Entry> shuffled = new ArrayList<>(newest.values());
        Collections.shuffle(shuffled, new Random(seed));

        ResourceTable table = new ResourceTable();
        shuffled.forEach(entry -> table.apply(entry.key(), entry.value()));

        assertShowsTheNewest(table, written);
    }

    @Provide
    Arbitrary<List<Apply>> applies() {
        Arbitrary<Apply> one = Combinators.combine(Arbitraries.of("acme", "@toolfleet/base"),
                Arbitraries.of("a", "b", "c", "d").set().ofMaxSize(4), Arbitraries.of("x", "y", "z")).as(Apply::new);
        return one.list().ofMinSize(1).ofMaxSize(8);
    }

    private static Written write(List<Apply> applies) {
        ResourceTable table = new ResourceTable();
        List<RevisionPlan.Entry> log = new ArrayList<>();
        Map<String, Map<Long, Map<String, String>>> revisions = new HashMap<>();
        for (Apply apply : applies) {
            ObjectNode[] tools = apply.tools().stream().map(name -> Declarations.tool(name, apply.word()))
                    .toArray(ObjectNode[]::new);
            RevisionPlan plan = Declarations.plan(table, apply.bundle(), tools);
            Declarations.apply(table, plan);
            log.addAll(plan.entries());
            Map<String, String> content = new HashMap<>();
            apply.tools().forEach(name -> content.put(name, apply.word()));
            revisions.computeIfAbsent(apply.bundle(), name -> new HashMap<>()).put(plan.revision(), content);
        }
        return new Written(log, revisions);
    }

    /// The log without some of the records that a later one of their key replaces.
    private static List<RevisionPlan.Entry> compacted(List<RevisionPlan.Entry> log, Random random) {
        List<RevisionPlan.Entry> kept = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            String key = log.get(i).key();
            boolean replaced = log.subList(i + 1, log.size()).stream().anyMatch(later -> later.key().equals(key));
            if (!replaced || random.nextBoolean())
                kept.add(log.get(i));
        }
        return kept;
    }

    private static void assertShowsTheNewest(ResourceTable table, Written written) {
        assertThat(table.view().bundles().keySet()).isEqualTo(written.revisions().keySet());
        written.revisions().forEach((bundle, revisions) -> assertThat(shown(table, bundle))
                .isEqualTo(revisions.get(Collections.max(revisions.keySet()))));
    }

    private static Map<String, String> shown(ResourceTable table, String bundle) {
        Map<String, String> shown = new HashMap<>();
        table.view().bundle(bundle).orElseThrow().tools()
                .forEach((name, tool) -> shown.put(name, tool.exports().getFirst().name()));
        return shown;
    }
}
