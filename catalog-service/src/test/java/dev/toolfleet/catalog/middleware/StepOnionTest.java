package dev.toolfleet.catalog.middleware;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Steps;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class StepOnionTest {
    private final List<String> log = new ArrayList<>();
    private final Steps steps = new Steps();

    @Test
    void ascendingPriorityIsOuterAndEqualOnesKeepTheirOrder() {
        steps.layer("ten", 10, logging("ten")).layer("five", 5, logging("five")).layer("tenToo", 10,
                logging("tenToo"));

        assertThat(names("ten", "five", "tenToo")).containsExactly("t__a", "t__b", "t__c");
        assertThat(log).containsExactly("five", "ten", "tenToo", "/tenToo", "/ten", "/five");
    }

    @Test
    void aLayerSeesWhatOuterOnesLeftAndAfterwardsWhatInnerOnesLeft() {
        steps.layer("outer", 1, (ctx, next) -> {
            ctx.keep(tool -> !tool.name().equals("t__a"));
            next.proceed();
            assertThat(ctx.tools()).extracting(StepTool::name).containsExactly("t__c", "t__b");
            ctx.known("t__a").ifPresent(ctx::add);
        }).layer("inner", 2, (ctx, next) -> {
            assertThat(ctx.tools()).extracting(StepTool::name).containsExactly("t__b", "t__c");
            ctx.tools(ctx.tools().stream().sorted(Comparator.comparing(StepTool::name).reversed()).toList());
            next.proceed();
        });

        assertThat(names("outer", "inner")).containsExactly("t__c", "t__b", "t__a");
    }

    @Test
    void aLayerThatDoesNotProceedLeavesOutThoseInside() {
        steps.layer("outer", 1, (ctx, next) -> ctx.keep(tool -> tool.name().equals("t__b"))).layer("inner", 2,
                logging("inner"));

        assertThat(names("outer", "inner")).containsExactly("t__b");
        assertThat(log).isEmpty();
    }

    @Test
    void whatAFailedLayerWasHandedIsNotShownButWhatOuterLayersAddIs() {
        steps.layer("outer", 1, (ctx, next) -> {
            next.proceed();
            ctx.known("t__a").ifPresent(ctx::add);
        }).layer("filter", 2, (ctx, next) -> {
            throw new IllegalStateException("no hints");
        }).layer("inner", 3, logging("inner"));

        assertThat(names("outer", "filter", "inner")).containsExactly("t__a");
        assertThat(log).isEmpty();
        assertThat(steps.faults()).containsExactly(Map.entry("acme/filter", 1L));
    }

    @Test
    void alsoALayerThatFailsAfterThoseInsideShowsNothing() {
        steps.layer("late", 1, (ctx, next) -> {
            next.proceed();
            throw new AssertionError("an Error");
        });

        assertThat(names("late")).isEmpty();
    }

    @Test
    void withoutALayerThatHidesNothingTheStepGoesOnAndInnerLayersHideAllTheSame() {
        steps.layer("outer", 1, (ctx, next) -> {
            ctx.keep(tool -> !tool.name().equals("t__a"));
            next.proceed();
        }).code("sort", (registrar, config) -> registrar.step(2, OnFailure.SKIP, (ctx, next) -> {
            ctx.tools(List.of());
            throw new IllegalStateException("before");
        })).layer("inner", 3, (ctx, next) -> {
            log.add("inner");
            ctx.keep(tool -> !tool.name().equals("t__b"));
            next.proceed();
        });

        assertThat(names("outer", "sort", "inner")).containsExactly("t__c");
        assertThat(log).containsExactly("inner");
    }

    @Test
    void aLayerThatHidesNothingAndFailsAfterThoseInsideLeavesWhatTheyLeft() {
        steps.code("sort", (registrar, config) -> registrar.step(1, OnFailure.SKIP, (ctx, next) -> {
            next.proceed();
            ctx.tools(List.of());
            throw new IllegalStateException("after");
        })).layer("inner", 2, (ctx, next) -> {
            log.add("inner");
            ctx.keep(tool -> tool.name().equals("t__b"));
            next.proceed();
        });

        assertThat(names("sort", "inner")).containsExactly("t__b");
        assertThat(log).containsExactly("inner");
    }

    @Test
    void proceedingTwiceIsAFailure() {
        steps.layer("twice", 1, (ctx, next) -> {
            next.proceed();
            next.proceed();
        });

        assertThat(names("twice")).isEmpty();
        assertThat(steps.faults()).containsKey("acme/twice");
    }

    @Test
    void whatTheAgentDoesNotHaveIsDroppedAndReported() {
        steps.layer("adding", 1, (ctx, next) -> {
            ToolCatalogItem known = ctx.tools().getFirst().item();
            List<StepTool> more = new ArrayList<>(ctx.tools());
            more.add(made("x__y", known.tool()));
            more.add(made("t__b", known.tool()));
            more.add(ctx.tools().getFirst());
            ctx.tools(more);
            next.proceed();
        });

        assertThat(names("adding")).containsExactly("t__a", "t__b", "t__c");
        assertThat(steps.faults()).containsEntry("acme/adding", 3L);
    }

    @Test
    void descriptionAndSchemaMayDifferGroupAndSourceMayNot() {
        steps.layer("changing", 1, (ctx, next) -> {
            StepTool a = ctx.tools().get(0).describedAs("new").withParameters(
                    Json.MAPPER.createObjectNode().put("type", "object"));
            ToolCatalogItem b = ctx.tools().get(1).item();
            ctx.tools(List.of(a, new StepTool(new ToolCatalogItem(b.name(), b.description(), b.parameters(),
                    b.source(), b.tool(), "harmless"), true, false)));
            next.proceed();
        });

        assertThat(names("changing")).containsExactly("t__a");
        assertThat(steps.items().getFirst().description()).isEqualTo("new");
        assertThat(steps.items().getFirst().parameters().size()).isEqualTo(1);
    }

    @Test
    void aLayerSeesTheStepAndItsHints() {
        steps.hints(Json.MAPPER.createObjectNode().put("mode", "short")).layer("seeing", 1, (ctx, next) -> {
            log.add(String.join(" ", ctx.agentName(), ctx.instanceKey(), ctx.turnId(), ctx.stepId(),
                    String.valueOf(ctx.stepIndex()), String.valueOf(ctx.caller().userId()),
                    ctx.hints().path("mode").asString(), ctx.requiredTools().toString()));
            ctx.hints().put("mode", "long");
            next.proceed();
        });

        names("seeing");
        names("seeing");
        assertThat(log).containsExactly("coder i t2 s2 2 u short []", "coder i t2 s2 2 u short []");
    }

    private List<String> names(String... extensions) {
        List<ObjectNode> bundle = new ArrayList<>(List.of(tool("t", "a", "b", "c")));
        ObjectNode agent = agent("coder", "Tool/t");
        for (String extension : extensions) {
            bundle.add(extension(extension, "java:" + extension));
            using(agent, extension, config -> {});
        }
        bundle.add(agent);
        return steps.apply(bundle.toArray(ObjectNode[]::new)).names();
    }

    private StepMiddleware logging(String name) {
        return (ctx, next) -> {
            log.add(name);
            next.proceed();
            log.add("/" + name);
        };
    }

    private static StepTool made(String name, ToolRef ref) {
        return new StepTool(new ToolCatalogItem(name, null, Json.MAPPER.createObjectNode(),
                new ToolSource(ToolSource.CONFIG, "t"), ref, null), false, false);
    }
}
