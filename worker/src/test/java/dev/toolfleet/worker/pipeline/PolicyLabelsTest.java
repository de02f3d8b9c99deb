package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts.Judged;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.InstanceLabels;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.CatalogTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A ruling that labels can change knows those from other instances.
class PolicyLabelsTest {
    private static final AddedLabel HEARD = new AddedLabel("untrusted", "web__get", "c0", 5, "boss");
    private static final ToolCall CALL = ToolCall.of("c1", "post__send", Json.MAPPER.createObjectNode(), "i");
    private static final CatalogTool TOOL = new CatalogTool(new ToolCatalogItem("post__send", "sends",
            Json.MAPPER.createObjectNode().put("type", "object"), ToolSource.mcp("x", "y"),
            new ToolRef("acme", "post", "send"), null, null));

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), () -> 0);
    private boolean depends = true;
    private boolean readable = true;
    private int reads;

    private final PolicyGate gate = new PolicyGate() {
        @Override
        public Ruling rule(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
            return labels.contains(HEARD)
                    ? new Ruling.Denied(Ruling.Basis.NONE, ToolError.of(ErrorCode.E_TOOL_DENIED, "heard"))
                    : new Ruling.Allowed(Ruling.Basis.NONE);
        }

        @Override
        public boolean dependsOnMore(ToolCall call, CatalogTool tool, List<AddedLabel> labels) {
            return depends && !labels.contains(HEARD);
        }
    };
    private final PolicyStage stage = new PolicyStage(gate, Duration.ofMinutes(5), 20, () -> "h-1",
            InstantSource.fixed(Instant.EPOCH));

    @BeforeEach
    void knowTheFleet() {
        PartitionStates states = new PartitionStates();
        states.labelsFrom(new InstanceLabels.Fleet() {
            @Override
            public boolean isPublished(String instance, String term) {
                return false;
            }

            @Override
            public Map<String, AddedLabel> receivedBy(String instance, String reader) {
                return reads == 0 || !readable ? Map.of() : Map.of("untrusted", HEARD);
            }

            @Override
            public boolean caughtUp() {
                reads++;
                return readable;
            }
        });
        states.opened(3, 7, state);
    }

    /// The label was written with the message that the model has read; the worker has not read it yet.
    @Test
    void aLabelThatIsUnreadSoFarCounts() throws InterruptedException {
        assertThat(stage.rule(judged(), CALL, TOOL).ruling()).isInstanceOf(Ruling.Denied.class);
        assertThat(reads).isEqualTo(1);
        assertThat(stage.rule(judged(), CALL, TOOL).ruling()).isInstanceOf(Ruling.Denied.class);
        assertThat(reads).as("nothing more could change it").isEqualTo(1);
    }

    @Test
    void aCallThatNoLabelConcernsWaitsForNothing() throws InterruptedException {
        depends = false;

        assertThat(stage.rule(judged(), CALL, TOOL).ruling()).isInstanceOf(Ruling.Allowed.class);
        assertThat(reads).isZero();
    }

    @Test
    void aCallIsDeniedWhileLabelsCannotBeRead() throws InterruptedException {
        readable = false;

        Ruling ruling = stage.rule(judged(), CALL, TOOL).ruling();

        assertThat(ruling).isInstanceOfSatisfying(Ruling.Denied.class, denied -> assertThat(denied.error().message())
                .contains("instance 'i'", "agent.label", "not started"));
    }

    /// While it waited, its model may have read a message.
    @Test
    void aCallThatHadToWaitReadsThemAgain() throws InterruptedException {
        readable = false;
        depends = false;
        var ruled = stage.rule(judged(), CALL, TOOL);
        readable = true;
        depends = true;

        assertThat(stage.again(ruled, CALL, TOOL, () -> {
            throw new AssertionError("no person is asked");
        })).isNotNull();
    }

    private Judged judged() {
        return TestCalls.judged(Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), CALL, 0, null,
                10)), 0).recalledBy(state));
    }
}
