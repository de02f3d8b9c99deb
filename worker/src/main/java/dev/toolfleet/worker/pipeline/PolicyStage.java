package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.BoundOperand;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.ApprovalQuestion;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.CallFacts.Judged;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.execute.OperandInquiry.Found;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Policy for one call, in two steps: the ruling comes before the arguments are looked at, the question to a person after,
/// since no person should be asked about a call that could not run.
///
/// An approval is good for one run of one call, with the arguments that the person saw and the rules that asked then
/// (`docs/policy.md`), and for the files that its tool declares. Everything else is asked anew: other arguments, because a
/// middleware changed its mind or its version, another content of a file, or another rule. What else has changed in the policy does not matter.
///
/// @param gate rules
/// @param approvalTimeout how long a person has
/// @param maxOpen how many calls of an instance may wait for a person
/// @param handles makes handles that cannot be guessed
public record PolicyStage(PolicyGate gate, Duration approvalTimeout, int maxOpen, Supplier<String> handles,
        InstantSource clock) {

    /// Rules a call by the policy of now.
    Ruled rule(Judged run, ToolCall call, CatalogTool tool) throws InterruptedException {
        return run.reached(new Ruled(run, ruling(run, call, tool)));
    }

    /// By the labels of this moment: one is there before any reader can see the result that adds it. Those from other
    /// instances are read first, if they could change the ruling.
    private Ruling ruling(CallFacts run, ToolCall call, CatalogTool tool) throws InterruptedException {
        PartitionState state = run.state();
        if (state == null)
            return gate.rule(call, tool, List.of());
        String instance = run.call().arrival().instanceKey();
        List<AddedLabel> labels = state.labels().of(instance);
        if (gate.dependsOnMore(call, tool, labels)) {
            if (!state.labels().caughtUp())
                return new Ruling.Denied(Ruling.Basis.NONE, unread(call));
            labels = state.labels().of(instance);
        }
        return gate.rule(call, tool, labels);
    }

    private static ToolError unread(ToolCall call) {
        return ToolError.of(ErrorCode.E_TOOL_DENIED, "The fleet's policy depends on the labels of instance '"
                + call.instanceKey() + "' for '" + call.name() + "', and those that it has from other instances cannot"
                + " be read from agent.label now. The call was not started.")
                .suggesting("The call did not happen. Call again in a minute.");
    }

    /// Returns the reply to a call that a person has to approve first; null when the call goes on.
    ///
    /// @param call as the middlewares left it; its arguments are valid
    /// @param files on which the call depends; asked only if a person is
    @Nullable
    ToolReply ask(Ruled run, ToolCall call, Supplier<Found> files) {
        return switch (run.ruling()) {
            case Ruling.Allowed _ -> null;
            case Ruling.Denied(var _, ToolError error) -> new ToolReply.Failed(error);
            case Ruling.Asked asked -> switch (files.get()) {
                case Found.Known(List<Operand> operands) -> ask(run, call, asked, operands);
                case Found.Failed(ToolReply reply) -> reply;
                case Found.Left _ -> {
                    run.course().leave();
                    yield new ToolReply.Failed(
                            ToolError.of(ErrorCode.E_TOOL_CANCELLED, "The call is left to another worker."));
                }
            };
        };
    }

    /// The same for a call that had to wait, by the policy of now.
    @Nullable
    ToolReply again(Ruled run, ToolCall call, CatalogTool tool, Supplier<Found> files) throws InterruptedException {
        return ask(run.reached(run.anew(ruling(run, call, tool))), call, files);
    }

    private @Nullable ToolReply ask(Ruled run, ToolCall call, Ruling.Asked asked, List<Operand> operands) {
        List<BoundOperand> bound = operands.stream()
                .map(each -> new BoundOperand(each.name(), each.size(), each.digest())).toList();
        String fingerprint = Fingerprint.of(call.name(), call.args());
        ApprovalTerms terms = asked.asking().stream().map(Cause::approvals).reduce(ApprovalTerms.ONE,
                ApprovalTerms::and);
        String notBy = terms.notRequester() ? requester(run, call) : null;
        ResumedCall.Grant grant = run.grant();
        if (grant != null && isAnswered(asked, fingerprint, bound, grant)
                && isByEnough(grant.people(), terms.quorum(), notBy)) {
            run.reached(run.approved());
            return null;
        }
        // Otherwise: it was approved and has run, its results are gone, and a second approval lets it run again.
        if (run.isDoubtful() && !mayRunTwice(run))
            return IntentJournal.doubtful(run);
        Instant now = clock.instant();
        Instant until = now.plus(approvalTimeout);
        Instant deadline = call.deadline();
        if (deadline != null && deadline.isBefore(until))
            until = deadline;
        if (!until.isAfter(now))
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "The call's deadline " + until
                    + " passed before a person could be asked to approve it; it was not started.")
                    .suggesting("The call did not happen. Call again with a later deadline."));
        PartitionState state = run.state();
        if (state != null && !state.mayAsk(run.call(), maxOpen))
            return new ToolReply.Failed(tooManyOpen(call));
        Cause first = asked.asking().getFirst();
        Approval approval = new Approval(first.rule(), asked.asking().stream().map(Cause::rule).distinct().toList(),
                ErrorText.limit(first.reason(), ErrorText.DEFAULT_LIMIT), fingerprint, asked.basis().policyDigest(),
                null, bound, terms.quorum() == 1 ? null : terms.quorum(), notBy, null);
        String handle = handles.get();
        int unread = (int) operands.stream().filter(each -> each.text() == null).count();
        ObjectNode output = output(call, handle, approval, until);
        if (!asked.basis().labels().isEmpty())
            show(asked.basis().labels(), output.putArray("labels"));
        show(operands, output);
        ApprovalQuestion asking = new ApprovalQuestion(handle, PendingCall.Kind.APPROVAL, approval, until, unread,
                output);
        run.reached(run.asks(asking));
        return new ToolReply.Pending(handle, asking.output().deepCopy(), null, null);
    }

    /// The user for whom the record that the runtime wrote was made; a middleware cannot make it another's.
    private static @Nullable String requester(CallFacts run, ToolCall call) {
        String user = run.call().arrival().call().userId();
        return user == null ? call.userId() : user;
    }

    /// Also for a grant that an older worker's topology gave, or that was given under milder terms.
    private static boolean isByEnough(List<String> people, int quorum, @Nullable String notBy) {
        return (quorum == 1 || new HashSet<>(people).size() >= quorum)
                && (notBy == null || (!people.isEmpty() && !people.contains(notBy)));
    }

    private static boolean mayRunTwice(CallFacts run) {
        RegisteredTool tool = run.tool();
        return tool != null && tool.export().annotations().repeatable();
    }

    private ToolError tooManyOpen(ToolCall call) {
        return ToolError.of(ErrorCode.E_TOOL_RATE_LIMITED, "A person has to approve the call, but " + maxOpen
                + " calls of instance '" + call.instanceKey()
                + "' already wait for that, and no more may. No person was"
                + " asked, and the call was not started.")
                .suggesting(
                        "The call did not happen. Wait until some of those calls are decided before you call again.");
    }

    /// True if the person saw these arguments and files, and answered every rule that requires approval now.
    private static boolean isAnswered(Ruling.Asked asked, String fingerprint, List<BoundOperand> operands,
            ResumedCall.Grant grant) {
        Set<String> answered = new HashSet<>(grant.answered());
        List<String> rules = asked.asking().stream().map(Cause::rule).toList();
        List<BoundOperand> seen = grant.operands() == null ? List.of() : grant.operands();
        return !grant.rule().equals(AuthorizationStage.RULE) && grant.fingerprint().equals(fingerprint)
                && seen.equals(operands) && answered.containsAll(rules);
    }

    /// For the person: which results the model has read.
    private static void show(List<AddedLabel> labels, ArrayNode out) {
        for (AddedLabel label : labels)
            out.addObject().put("label", label.label()).put("tool", label.toolName()).put("call", label.toolCallId())
                    .put("instance", label.instanceKey());
    }

    private static void show(List<Operand> operands, ObjectNode output) {
        if (operands.isEmpty()) {
            output.put("binds", "These arguments. No file is bound: what the call reads may change until it runs.");
            return;
        }
        output.put("binds", "These arguments and the content of these files. Other files that the call reads are not"
                + " bound.");
        ArrayNode files = output.putArray("operands");
        for (Operand each : operands) {
            ObjectNode file = files.addObject().put("name", each.name()).put("size", each.size()).put("digest",
                    each.digest());
            if (each.text() != null)
                file.put("text", each.text());
        }
    }

    /// For the model, and for the person who decides: what would run, and why it does not yet.
    private static ObjectNode output(ToolCall call, String handle, Approval approval, Instant until) {
        ObjectNode output = JsonNodeFactory.instance.objectNode().put("approval", "required")
                .put("message",
                        "The call has not run: a person has to approve it first. Its result follows by itself once"
                                + " that is decided, or says that it was not approved in time. Do not call again meanwhile.")
                .put("handle", handle).put("reason", approval.reason()).put("rule", approval.rule())
                .put("until", until.toString()).put("tool", call.name());
        if (approval.needed() > 1)
            output.put("quorum", approval.needed());
        if (approval.notBy() != null)
            output.put("notBy", approval.notBy());
        // A copy: a holder of the call could change them after they were looked at.
        output.set("arguments", call.args().deepCopy());
        return output;
    }
}
