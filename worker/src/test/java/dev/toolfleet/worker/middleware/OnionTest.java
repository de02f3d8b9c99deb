package dev.toolfleet.worker.middleware;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.middleware.ToolCallPoints;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.Layer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

class OnionTest {
    private static final ToolReply DONE = new ToolReply.Ok(StringNode.valueOf("done"));

    private final List<String> seen = new ArrayList<>();

    @Test
    void layersRunByAscendingPriorityAndEqualOnesInTheirOrder() {
        List<Layer> layers = new ArrayList<>(List.of(noted("A", 10), noted("B", 5), noted("C", 10)));
        layers.sort(Comparator.comparingInt(Layer::priority));

        ToolReply reply = run(layers);

        assertThat(seen).containsExactly("B", "A", "C", "core", "C", "A", "B");
        assertThat(reply).isEqualTo(DONE);
    }

    @Test
    void withoutLayersTheCoreAnswers() {
        assertThat(run(List.of())).isEqualTo(DONE);
    }

    @Test
    void aLayerMayAnswerWithoutGoingOn() {
        ToolReply own = new ToolReply.Ok(StringNode.valueOf("cached"));

        assertThat(run(List.of(noted("A", 0), layer("cache", (ctx, next) -> own)))).isEqualTo(own);
        assertThat(seen).containsExactly("A", "A");
    }

    @Test
    void aLayerThatGoesOnTwiceFails() {
        ToolReply reply = run(List.of(layer("twice", (ctx, next) -> {
            next.proceed();
            return next.proceed();
        })));

        assertMiddlewareFailed(reply, "twice");
        assertThat(seen).as("the tool ran once").containsExactly("core");
    }

    // Otherwise: the tool has run, and the model is told to retry.
    @Test
    void aLayerThatFailsBehindAToolThatMustNotRunTwiceDoesNotAdviseToRetry() {
        ToolReply reply = Onion.run(List.of(layer("late", (ctx, next) -> {
            next.proceed();
            throw new IllegalStateException("late");
        })), new OnionCall(call()), () -> DONE, () -> true);

        assertMiddlewareFailed(reply, "late");
        assertThat(((ToolReply.Failed) reply).error().suggestion())
                .isEqualTo(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.suggestion());
    }

    @Test
    void anOuterLayerMayCatchWhatAnInnerOneThrows() {
        ToolReply reply = run(List.of(layer("outer", (ctx, next) -> {
            try {
                return next.proceed();
            } catch (IllegalStateException e) {
                return DONE;
            }
        }), layer("inner", (ctx, next) -> {
            throw new IllegalStateException("broken");
        })));

        assertThat(reply).isEqualTo(DONE);
    }

    @Test
    void whateverALayerThrowsIsAFailureOfTheMiddleware() {
        assertMiddlewareFailed(run(List.of(layer("x", (ctx, next) -> {
            throw new AssertionError("an Error");
        }))), "an Error");
        assertMiddlewareFailed(run(List.of(layer("x", (ctx, next) -> {
            throw new java.io.IOException("checked");
        }))), "checked");
    }

    @Test
    void aLayerThatReturnsNothingFailsByItsName() {
        assertMiddlewareFailed(run(List.of(layer("silent", (ctx, next) -> nothing()))), "silent");
    }

    @Test
    void changedArgumentsAndMetadataAreSeenFurtherIn() {
        OnionCall call = new OnionCall(call());
        Onion.run(List.of(layer("A", (ctx, next) -> {
            ctx.args(JsonNodeFactory.instance.objectNode().put("n", 2));
            ctx.metadata().put("by", "A");
            return next.proceed();
        }), layer("B", (ctx, next) -> {
            seen.add(ctx.args() + " " + ctx.metadata());
            return next.proceed();
        })), call, () -> DONE, () -> false);

        assertThat(seen).containsExactly("{\"n\":2} {\"by\":\"A\"}");
        assertThat(call.current().args().path("n").asInt()).isEqualTo(2);
        assertThat(call.current().metadata()).isNotNull();
    }

    @Test
    void theThreePointsOfTheOldSpecificationAreLayers() {
        ToolReply replaced = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL, "replaced"));
        ToolReply reply = run(List.of(layer("pre", ToolCallPoints.pre(ctx -> seen.add("pre"))),
                layer("post", ToolCallPoints.post((ctx, inner) -> {
                    seen.add("post");
                    assertThat(inner).isEqualTo(DONE);
                    return replaced;
                })), layer("exec", ToolCallPoints.exec((ctx, next) -> {
                    seen.add("exec");
                    return next.proceed();
                }))));

        assertThat(seen).containsExactly("pre", "exec", "core", "post");
        assertThat(reply).isEqualTo(replaced);
    }

    private ToolReply run(List<Layer> layers) {
        return Onion.run(layers, new OnionCall(call()), () -> {
            seen.add("core");
            return DONE;
        }, () -> false);
    }

    private Layer noted(String name, int priority) {
        return new Layer(name, priority, (ctx, next) -> {
            seen.add(name);
            ToolReply reply = next.proceed();
            seen.add(name);
            return reply;
        });
    }

    private static Layer layer(String name, ToolCallMiddleware middleware) {
        return new Layer(name, 0, middleware);
    }

    @SuppressWarnings("NullAway") // What a careless extension does.
    private static ToolReply nothing() {
        return null;
    }

    private static ToolCall call() {
        return ToolCall.of("c1", "t__x", JsonNodeFactory.instance.objectNode().put("n", 1), "i");
    }

    private static void assertMiddlewareFailed(ToolReply reply, String saying) {
        assertThat(reply).isInstanceOfSatisfying(ToolReply.Failed.class, failed -> {
            assertThat(failed.error().code()).isEqualTo("E_TOOL_MIDDLEWARE");
            assertThat(failed.error().message()).contains(saying);
        });
    }
}
