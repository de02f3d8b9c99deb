package dev.toolfleet.gateway.rest;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ServerContext;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Questions to the person behind an MCP client about calls that wait for an approval.
///
/// **Contract.** Only a principal with the scope `approvals:decide` is asked, and only about a call that the person is
/// shown whole: the right to call is not the right to approve. A decision is bound to its handle, and so to the arguments
/// that the question showed. An answer about a wait that is over changes nothing.
///
/// **Threads.** Any; reads block.
final class McpApprovals {
    /// Before the handle, in the key of a question.
    private static final String KEY = "approval ";
    private static final int MOST_SHOWN = 4_000;
    private static final String FORM = "form";
    private static final String APPROVE = "approve";
    private static final String REASON = "reason";

    private final FleetWriter fleet;
    private final OpenHandles handles;

    McpApprovals(FleetWriter fleet) {
        this.fleet = fleet;
        this.handles = new OpenHandles(fleet);
    }

    /// Returns the question about a call; empty if its client is not to be asked, or nothing is asked now.
    ///
    /// @param handle the wait of the call
    Optional<InputQuestions> question(ServerContext<McpCaller> context, CallId call, @Nullable String handle) {
        Principal principal = context.caller().principal();
        if (handle == null || !mayDecide(principal) || !showsForms(context))
            return Optional.empty();
        return wait(call, handle, principal).filter(wait -> isForOne(wait, principal))
                .flatMap(McpApprovals::form)
                .map(form -> new InputQuestions(Map.of(KEY + handle, form), call.toString()));
    }

    private static boolean mayDecide(Principal principal) {
        return principal.scopes().contains(Scope.APPROVALS_DECIDE);
    }

    /// A client that names no mode shows forms.
    private static boolean showsForms(ServerContext<McpCaller> context) {
        JsonNode elicitation = context.capabilities().path("elicitation");
        return context.mayAsk() && elicitation.isObject() && (elicitation.isEmpty() || elicitation.has(FORM));
    }

    private Optional<PendingCall> wait(CallId call, String handle, Principal principal) {
        try {
            PendingCall wait = handles.get(handle, principal);
            return wait.partition() == call.partition() && wait.callOffset() == call.offset()
                    ? Optional.of(wait)
                    : Optional.empty();
        } catch (ProblemException e) {
            if (e.problem().type() == ProblemType.NOT_READY)
                throw e;
            return Optional.empty();
        }
    }

    /// True if a decision of this principal alone would count.
    private static boolean isForOne(PendingCall wait, Principal principal) {
        Approval approval = wait.approval();
        if (approval == null || !approval.isShownWhole() || approval.needed() > 1)
            return false;
        String by = by(principal);
        return !approval.isNamed() || (by != null && !by.equals(approval.notBy()));
    }

    private static @Nullable String by(Principal principal) {
        return principal.name().isEmpty() ? null : principal.userId().orElse(principal.name());
    }

    /// Returns the form; empty for arguments that are too long for one.
    private static Optional<ObjectNode> form(PendingCall wait) {
        Approval approval = wait.approval();
        String arguments = wait.call().args().toString();
        if (approval == null || arguments.length() > MOST_SHOWN)
            return Optional.empty();
        ObjectNode request = Json.MAPPER.createObjectNode().put("method", Methods.ELICIT);
        ObjectNode params = request.putObject("params").put("mode", FORM).put("message",
                "May " + wait.call().name() + " run in instance '" + wait.call().instanceKey() + "' with " + arguments
                        + "? Rule '" + approval.rule() + "' wants an approval: " + approval.reason());
        ObjectNode schema = params.putObject("requestedSchema").put("type", "object");
        ObjectNode fields = schema.putObject("properties");
        fields.putObject(APPROVE).put("type", "boolean").put("title", "Approve").put("description",
                "True runs the call once, with these arguments. False rejects it.");
        fields.putObject(REASON).put("type", "string").put("title", "Reason").put("maxLength", Decision.MAX_REASON)
                .put("description", "For the model and the log.");
        schema.putArray("required").add(APPROVE);
        return Optional.of(request);
    }

    /// Takes the answers of a client.
    ///
    /// @return true if a decision was sent
    /// @throws RpcException if the principal may not decide, or an answer does not fit its form
    boolean decide(ServerContext<McpCaller> context, CallId call, ObjectNode answers) throws RpcException {
        Principal principal = context.caller().principal();
        boolean decided = false;
        for (Map.Entry<String, JsonNode> answer : answers.properties()) {
            if (!answer.getKey().startsWith(KEY))
                continue;
            if (!mayDecide(principal))
                throw RpcException.invalid("The principal '" + principal.name() + "' lacks the scope "
                        + Scope.APPROVALS_DECIDE.text() + ". Add it to " + principal.setting("scopes") + ".");
            String handle = answer.getKey().substring(KEY.length());
            Optional<Decision> decision = decision(handle, by(principal), answer.getValue());
            if (decision.isEmpty() || wait(call, handle, principal).filter(wait -> isForOne(wait, principal)).isEmpty())
                continue;
            Stages.sentOnly(fleet.decide(decision.get()), "the decision");
            decided = true;
        }
        return decided;
    }

    /// Reads the answer to a form; empty if the person has left it.
    private static Optional<Decision> decision(String handle, @Nullable String by, JsonNode answer)
            throws RpcException {
        JsonNode content = answer.path("content");
        return switch (answer.path("action").asString("")) {
            case "accept" -> {
                if (!content.path(APPROVE).isBoolean())
                    throw RpcException.invalid("The answer '" + KEY + handle + "' must have content." + APPROVE
                            + ", true or false.");
                String reason = content.path(REASON).stringValue(null);
                yield Optional.of(content.path(APPROVE).booleanValue()
                        ? Decision.approve(handle, by, reason)
                        : Decision.reject(handle, by, reason));
            }
            case "decline" -> Optional.of(Decision.reject(handle, by, "The person declined to approve it."));
            case "cancel" -> Optional.empty();
            default -> throw RpcException.invalid("The answer '" + KEY + handle
                    + "' must have an action: accept, decline or cancel.");
        };
    }
}
