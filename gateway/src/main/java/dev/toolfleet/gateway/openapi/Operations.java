package dev.toolfleet.gateway.openapi;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.openapi.Operation.Parameter;

/// Operations of the gateway. A test compares them with the routes that are registered, with their parameters and with
/// the scopes that they need.
public final class Operations {
    private static final String TEXT = "{\"type\":\"string\",\"minLength\":1,\"maxLength\":1024}";
    private static final String INSTANT = "{\"type\":\"string\",\"format\":\"date-time\"}";
    private static final String LIMIT = "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":100}";
    private static final String FEW = "{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"default\":50}";
    private static final String STAGE = "{\"type\":\"string\",\"enum\":[\"open\",\"accepted\",\"running\","
            + "\"pending\",\"approval\",\"resumed\",\"ended\"]}";
    private static final String STATUS = "{\"type\":\"string\",\"enum\":[\"ok\",\"error\"]}";
    private static final String FORMAT = "{\"type\":\"string\",\"enum\":[\"toolfleet\",\"openai\",\"anthropic\",\"mcp\"],"
            + "\"default\":\"toolfleet\"}";
    private static final String ANY_TEXT = "{\"type\":\"string\"}";
    private static final String EVENTS = "text/event-stream";
    private static final String AGENT = "/v1/instances/{instanceKey}/agents/{agent}";
    private static final String CALL = "/v1/calls/{id}";
    private static final String HANDLE = "/v1/handles/{handle}";

    private static final Parameter PREFER = new Parameter("header", "Prefer", ANY_TEXT,
            "`wait=SECONDS` waits up to that long, at most 120; `respond-async` does not wait.");
    private static final Parameter KEY = new Parameter("header", "Idempotency-Key",
            "{\"type\":\"string\",\"minLength\":1,\"maxLength\":510}",
            "The caller's own name of this call, as a quoted string or as plain characters. A request that is sent again"
                    + " with the same key and body is the same call. Required for tools that are declared neither"
                    + " readOnly nor idempotent, unless the body has turnId, stepId and id.");
    private static final Parameter LAST_EVENT = new Parameter("header", "Last-Event-ID", ANY_TEXT,
            "The id of the last event that the reader has; the stream continues behind it.");
    private static final Parameter IF_NONE_MATCH = new Parameter("header", "If-None-Match", ANY_TEXT,
            "The ETag of an answer that the client has; answers 304 if it is still right.");
    private static final Parameter TRACE = new Parameter("header", "traceparent", ANY_TEXT,
            "W3C trace context to continue.");

    private Operations() {}

    /// Returns all of them.
    public static List<Operation> all() {
        List<Operation> all = new ArrayList<>();
        all.addAll(steps());
        all.addAll(calls());
        all.addAll(handles());
        all.addAll(lists());
        all.addAll(process());
        return List.copyOf(all);
    }

    private static List<Operation> steps() {
        return List.of(
                Operation.of("post", AGENT + "/steps", "beginStep",
                        "Announces a step, and answers with the tools that its model may see and call.")
                        .needs(Scope.TOOLS_LIST)
                        .query("format", FORMAT, "The shape of the tools: as the fleet has them, or as a provider"
                                + " takes them.")
                        .takes("StepRequest").gives(200, "The catalog of the step.", "StepAnswer"),
                Operation.of("get", AGENT + "/catalog", "getCatalog",
                        "Returns the catalog of the newest step. Headers name the step.").needs(Scope.TOOLS_LIST)
                        .query("format", FORMAT, "The shape of the tools.").header(IF_NONE_MATCH)
                        .gives(200, "The catalog.", "Catalog").gives(304, "It has not changed.", "", ""),
                Operation.of("get", AGENT + "/prompt", "getPrompt",
                        "Returns the system prompt of the agent with the tools of its newest step.")
                        .needs(Scope.TOOLS_LIST)
                        .query("mode", "{\"type\":\"string\",\"enum\":[\"full\",\"minimal\",\"none\"]}",
                                "The sections.")
                        .query("maxTokens", "{\"type\":\"integer\",\"minimum\":1,\"default\":16000}",
                                "The budget.")
                        .header(IF_NONE_MATCH).gives(200, "The prompt.", "Prompt")
                        .gives(304, "It has not changed.", "", ""),
                Operation.of("get", AGENT + "/messages", "getMessages",
                        "Returns the messages of the agent's session.").needs(Scope.SESSIONS_READ)
                        .query("view", "{\"type\":\"string\",\"enum\":[\"log\",\"model\"]}",
                                "As they were written, or the repaired transcript for a model.")
                        .gives(200, "The messages, oldest first.", "SessionMessages"),
                Operation.of("get", AGENT + "/session", "getSession", "Returns the state of the agent's session.")
                        .needs(Scope.SESSIONS_READ).gives(200, "The state.", "SessionState"),
                Operation.of("post", AGENT + "/steps/{turnId}/{stepId}/end", "endStep", "Announces the end of a step.")
                        .needs(Scope.TOOLS_LIST).mayTake("StepEndRequest")
                        .gives(202, "The end of the step is durable.", "StepEndAnswer"));
    }

    private static List<Operation> calls() {
        return List.of(
                Operation.of("post", AGENT + "/calls", "callTool",
                        "Calls a tool, and waits for its first result. Accept: text/event-stream streams its events.")
                        .needs(Scope.TOOLS_CALL).header(PREFER).header(KEY).header(TRACE).takes("CallRequest")
                        .gives(200, "The final result, also when the call failed.", "ToolResult")
                        .gives(200, "The events of the call: accepted, progress, pending, result.", EVENTS, "")
                        .gives(202, "The call is durable and has no final result yet; Location has its address.",
                                "CallAccepted"),
                Operation.of("get", "/v1/instances/{instanceKey}/results", "readResults",
                        "Reads the final results of an instance, in their order.").needs(Scope.TOOLS_CALL)
                        .query("after", "{\"type\":\"string\",\"pattern\":\"^(0|[1-9][0-9]*)-(0|[1-9][0-9]*)$\"}",
                                "The position behind which to read: `next` of an earlier answer.")
                        .query("limit", LIMIT, "The largest number of results.").header(PREFER).header(LAST_EVENT)
                        .gives(200, "Results, and the position to continue behind.", "ResultList")
                        .gives(200, "Events `result` without end.", EVENTS, ""),
                Operation.of("get", "/v1/calls", "listCalls",
                        "Lists calls, the newest first, without their arguments and outputs.")
                        .needs(Scope.TOOLS_CALL, Scope.FLEET_READ).query("instance", TEXT, "Only of this instance.")
                        .query("agent", TEXT, "Only of this agent.")
                        .query("tool", ANY_TEXT, "Only of tools with such names, such as bash__*.")
                        .query("user", TEXT, "Only those made for this person.")
                        .query("stage", STAGE, "Only in this stage; `open` for all that have not ended, without"
                                + " duplicates of calls that wait.")
                        .query("status", STATUS, "Only with such a final result.")
                        .query("code", TEXT, "Only with this error code.")
                        .query("since", INSTANT, "Only those that were accepted then or later.")
                        .query("after", ANY_TEXT, "The position to continue behind: `next` of an earlier answer.")
                        .query("limit", FEW, "The largest number of calls.").gives(200, "Calls.", "CallList"),
                Operation.of("get", CALL, "getCall", "Returns the state of a call, with its result once it has one.")
                        .needs(Scope.TOOLS_CALL).header(PREFER).header(IF_NONE_MATCH)
                        .gives(200, "The state of the call.", "CallState").gives(304, "It has not changed.", "", ""),
                Operation.of("get", CALL + "/events", "streamEvents", "Streams the events of a call, to its result.")
                        .needs(Scope.TOOLS_CALL).header(LAST_EVENT)
                        .gives(200, "The events of the call: accepted, progress, pending, result.", EVENTS, ""),
                Operation.of("post", CALL + "/cancel", "cancelCall", "Cancels a call that has not ended.")
                        .needs(Scope.TOOLS_CALL).mayTake("CancelRequest")
                        .gives(202, "The wish is durable; the state of the call, as it was.", "CallState"));
    }

    private static List<Operation> handles() {
        return List.of(
                Operation.of("post", HANDLE + "/completions", "completeHandle",
                        "Reports progress or the end of work behind a handle.").needs(Scope.HANDLES_COMPLETE)
                        .takes("CompletionRequest").gives(202, "The report is durable.", "HandleAnswer"),
                Operation.of("post", HANDLE + "/decision", "decideApproval",
                        "Approves or rejects a call that waits for a person.").needs(Scope.APPROVALS_DECIDE)
                        .takes("DecisionRequest").gives(202, "The decision is durable.", "HandleAnswer"));
    }

    private static List<Operation> lists() {
        return List.of(
                Operation.of("get", "/v1/approvals", "listApprovals",
                        "Lists the calls that wait for a person, the oldest first.")
                        .needs(Scope.APPROVALS_DECIDE, Scope.FLEET_READ)
                        .query("instance", TEXT, "Only of this instance.").query("agent", TEXT, "Only of this agent.")
                        .query("limit", LIMIT, "The largest number of approvals.")
                        .gives(200, "Open approvals.", "ApprovalList"),
                Operation.of("get", "/v1/errors", "listErrors", "Lists the calls that failed.").needs(Scope.FLEET_READ)
                        .query("since", INSTANT, "The earliest time; an hour ago without it and `after`.")
                        .query("after", ANY_TEXT, "The position to continue behind: `next` of an earlier answer.")
                        .query("code", TEXT, "Only with this code.")
                        .query("tool", ANY_TEXT, "Only of tools with such names, such as bash__*.")
                        .query("agent", TEXT, "Only of this agent.").query("instance", TEXT, "Only of this instance.")
                        .query("limit", LIMIT, "The largest number of errors.").gives(200, "Errors.", "ErrorList"),
                Operation.of("get", "/v1/dead-letters", "listDeadLetters",
                        "Lists the records that no component could use, the newest first, without their values.")
                        .needs(Scope.FLEET_READ).query("reason", TEXT, "Only with this word as their reason.")
                        .query("topic", TEXT, "Only from this topic.").query("since", INSTANT, "The earliest time.")
                        .query("all", "{\"type\":\"boolean\",\"default\":false}",
                                "True for those, too, that were replayed or discarded.")
                        .query("limit", LIMIT, "The largest number of letters.")
                        .gives(200, "Dead letters.", "LetterList"),
                Operation.of("get", "/v1/agents", "listAgents", "Lists the declared agents.")
                        .needs(Scope.TOOLS_LIST, Scope.FLEET_READ).header(IF_NONE_MATCH)
                        .gives(200, "Agents.", "AgentList").gives(304, "It has not changed.", "", ""),
                Operation.of("get", "/v1/agents/{agent}", "getAgent",
                        "Returns a declared agent, with its exports by the names that a model calls.")
                        .needs(Scope.TOOLS_LIST, Scope.FLEET_READ).header(IF_NONE_MATCH)
                        .gives(200, "The agent.", "Agent").gives(304, "It has not changed.", "", ""),
                Operation.of("get", "/v1/resources", "listResources", "Lists the declarations of all bundles.")
                        .needs(Scope.FLEET_READ).query("group", TEXT, "Only Tools with an export in this group.")
                        .query("source", "{\"type\":\"string\",\"enum\":[\"config\",\"extension\",\"mcp\"]}",
                                "Only from sources of this kind.")
                        .header(IF_NONE_MATCH).gives(200, "Declarations.", "ResourceList")
                        .gives(304, "It has not changed.", "", ""));
    }

    private static List<Operation> process() {
        return List.of(
                Operation.of("get", "/openapi.json", "getDescription", "Returns this description.")
                        .header(IF_NONE_MATCH).gives(200, "OpenAPI 3.1.", "Document")
                        .gives(304, "It has not changed.", "", ""),
                Operation.of("get", "/health/live", "isLive", "Succeeds while the process can go on.")
                        .withoutPrincipal().gives(200, "It is live.", "Health"),
                Operation.of("get", "/health/ready", "isReady", "Succeeds while requests can be answered.")
                        .withoutPrincipal().gives(200, "It is ready.", "Health"),
                Operation.of("get", "/.well-known/oauth-protected-resource", "getResourceMetadata",
                        "Returns who issues tokens for this gateway (RFC 9728); 404 when no principal has JWTs. The"
                                + " path of a part of the gateway may follow.")
                        .withoutPrincipal().gives(200, "The metadata.", "ResourceMetadata"),
                Operation.of("get", "/oauth/callback", "endAuthorization",
                        "Takes a browser that comes back from an authorization server, and shows a page; 404 without the"
                                + " fleet's OAuth key. The path of an OAuthApp may follow.")
                        .withoutPrincipal().query("state", ANY_TEXT, "The signed state.")
                        .query("code", ANY_TEXT, "The authorization code.")
                        .query("error", ANY_TEXT, "The code of a refusal.")
                        .query("error_description", ANY_TEXT, "The server's words.")
                        .query("iss", ANY_TEXT, "The issuer (RFC 9207).").gives(200, "A page.", "text/html", ""),
                Operation.of("get", "/metrics", "readMetrics", "Returns the metrics of the process.")
                        .needs(Scope.FLEET_READ).gives(200, "Prometheus text.", "text/plain", ""));
    }
}
