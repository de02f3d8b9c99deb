package dev.toolfleet.mcp.server;

import java.time.Duration;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Methods of a server that both eras have. Prompts and resources are empty lists: clients ask for them anyway.
///
/// **Threads.** The thread of the request; methods may wait.
///
/// @param <C> the type of callers
final class MethodTable<C> {
    /// The wait of one look at a task: between two, a client that has gone is noticed.
    private static final Duration LOOK = Duration.ofSeconds(5);
    /// The time for which clients may keep lists that stay empty.
    private static final Duration EMPTY_LIFE = Duration.ofMinutes(5);

    private static final String EXECUTION = "execution";

    private final ToolService<C> service;
    private final ServerSettings settings;

    MethodTable(ToolService<C> service, ServerSettings settings) {
        this.service = service;
        this.settings = settings;
    }

    /// Returns the result of a request.
    ObjectNode answer(ServerContext<C> context, RpcMessage.Request request, CallControl control)
            throws RpcException, InterruptedException {
        ObjectNode result = context.revision().isModern()
                ? modern(context, request, control)
                : legacy(context, request, control);
        if (context.revision().isModern()) {
            if (!result.has("resultType"))
                result.put("resultType", "complete");
            result.withObject("/" + Meta.FIELD).set(Meta.SERVER_INFO, settings.info().json());
        }
        return result;
    }

    private ObjectNode modern(ServerContext<C> context, RpcMessage.Request request, CallControl control)
            throws RpcException, InterruptedException {
        ObjectNode params = request.params();
        return switch (request.method()) {
            case Methods.DISCOVER -> discovery(context);
            case Methods.GET_TASK -> service.task(context, taskId(context, params), Duration.ZERO).json(true);
            case Methods.UPDATE_TASK -> {
                String taskId = taskId(context, params);
                if (!(params.path("inputResponses") instanceof ObjectNode answers))
                    throw RpcException.invalid("The field inputResponses must be an object.");
                service.updateTask(context, taskId, answers);
                yield McpJson.object();
            }
            case Methods.CANCEL_TASK -> {
                service.cancelTask(context, taskId(context, params));
                yield McpJson.object();
            }
            default -> shared(context, request, control);
        };
    }

    private ObjectNode legacy(ServerContext<C> context, RpcMessage.Request request, CallControl control)
            throws RpcException, InterruptedException {
        ObjectNode params = request.params();
        return switch (request.method()) {
            case Methods.PING -> McpJson.object();
            case Methods.GET_TASK -> service.task(context, taskId(context, params), Duration.ZERO).legacyJson();
            case Methods.TASK_RESULT -> taskResult(context, taskId(context, params), control);
            case Methods.CANCEL_TASK -> {
                String taskId = taskId(context, params);
                service.cancelTask(context, taskId);
                yield service.task(context, taskId, Duration.ZERO).legacyJson();
            }
            default -> shared(context, request, control);
        };
    }

    private ObjectNode shared(ServerContext<C> context, RpcMessage.Request request, CallControl control)
            throws RpcException, InterruptedException {
        ObjectNode params = request.params();
        return switch (request.method()) {
            case Methods.LIST_TOOLS -> tools(context, cursor(params));
            case Methods.CALL_TOOL -> answer(context, service.call(context, invocation(context, request), control));
            case Methods.LIST_PROMPTS -> empty(context, "prompts", params);
            case Methods.LIST_RESOURCES -> empty(context, "resources", params);
            case Methods.LIST_TEMPLATES -> empty(context, "resourceTemplates", params);
            case Methods.GET_PROMPT -> throw RpcException.invalid("There is no prompt '" + text(params, "name") + "'.");
            case Methods.READ_RESOURCE ->
                throw RpcException.invalid("There is no resource '" + text(params, "uri") + "'.");
            default -> throw RpcException.unknownMethod(request.method());
        };
    }

    private ObjectNode discovery(ServerContext<C> context) {
        ObjectNode result = McpJson.object();
        result.set("supportedVersions", RequestEnvelope.supported());
        ObjectNode capabilities = capabilities();
        if (settings.hasTasks())
            capabilities.withObject("/extensions").set(Meta.TASKS_EXTENSION, McpJson.object());
        result.set("capabilities", capabilities);
        instruct(result, context.caller());
        return cached(result, EMPTY_LIFE, false);
    }

    /// Returns the capabilities that both eras have.
    ObjectNode capabilities() {
        ObjectNode capabilities = McpJson.object();
        ObjectNode tools = McpJson.object();
        if (settings.reportsToolChanges())
            tools.put("listChanged", true);
        capabilities.set("tools", tools);
        capabilities.set("prompts", McpJson.object());
        capabilities.set("resources", McpJson.object());
        return capabilities;
    }

    void instruct(ObjectNode result, C caller) {
        String instructions = service.instructions(caller);
        if (!instructions.isEmpty())
            result.put("instructions", instructions);
    }

    private ObjectNode tools(ServerContext<C> context, @Nullable String cursor)
            throws RpcException, InterruptedException {
        ToolPage page = service.list(context, cursor);
        ObjectNode result = McpJson.object();
        ArrayNode tools = McpJson.array();
        boolean mayBeTasks = settings.hasTasks() && hasLegacyTasks(context);
        for (ToolDefinition tool : page.tools())
            tools.add(mayBeTasks ? withTasks(tool) : tool.json());
        result.set("tools", tools);
        if (page.nextCursor() != null)
            result.put("nextCursor", page.nextCursor());
        return context.revision().isModern() ? cached(result, page.timeToLive(), page.isPublic()) : result;
    }

    /// Clients of 2025-11-25 want a task only of a tool that declares it.
    private static ObjectNode withTasks(ToolDefinition tool) {
        if (tool.json().has(EXECUTION))
            return tool.json();
        ObjectNode json = tool.json().deepCopy();
        json.putObject(EXECUTION).put("taskSupport", "optional");
        return json;
    }

    private static <C> ObjectNode empty(ServerContext<C> context, String field, ObjectNode params)
            throws RpcException {
        String cursor = cursor(params);
        if (cursor != null)
            throw RpcException.invalid("The cursor '" + cursor + "' is none of this list, which is empty.");
        ObjectNode result = McpJson.object();
        result.set(field, McpJson.array());
        return context.revision().isModern() ? cached(result, EMPTY_LIFE, false) : result;
    }

    private static ObjectNode cached(ObjectNode result, Duration life, boolean isPublic) {
        return result.put("ttlMs", life.toMillis()).put("cacheScope", isPublic ? "public" : "private");
    }

    private ToolInvocation invocation(ServerContext<C> context, RpcMessage.Request request) throws RpcException {
        ObjectNode params = request.params();
        JsonNode arguments = params.path("arguments");
        if (!arguments.isObject() && !arguments.isMissingNode() && !arguments.isNull())
            throw RpcException.invalid("The field arguments must be an object.");
        JsonNode answers = params.path("inputResponses");
        return new ToolInvocation(request.id(), text(params, "name"),
                arguments.isObject() ? (ObjectNode) arguments : McpJson.object(), taskUse(context, params),
                answers.isObject() ? (ObjectNode) answers : null, params.path("requestState").stringValue(null));
    }

    private ToolInvocation.TaskUse taskUse(ServerContext<C> context, ObjectNode params) {
        if (!settings.hasTasks())
            return ToolInvocation.TaskUse.NEVER;
        if (context.declaresTasks())
            return ToolInvocation.TaskUse.ALLOWED;
        return hasLegacyTasks(context) && params.path("task").isObject()
                ? ToolInvocation.TaskUse.WANTED
                : ToolInvocation.TaskUse.NEVER;
    }

    private static ObjectNode answer(ServerContext<?> context, ToolAnswer answer) {
        return switch (answer) {
            case ToolAnswer.Done done -> done.reply().json(context.revision());
            case ToolAnswer.Task task when context.revision().isModern() ->
                task.task().json(false).put("resultType", "task");
            case ToolAnswer.Task task -> {
                ObjectNode result = McpJson.object();
                result.set("task", task.task().legacyJson());
                yield result;
            }
            case ToolAnswer.Input input -> input.questions().addTo(McpJson.object())
                    .put("resultType", "input_required");
        };
    }

    /// Waits for the end of a task of the old generation, and returns what the call would have returned.
    private ObjectNode taskResult(ServerContext<C> context, String taskId, CallControl control)
            throws RpcException, InterruptedException {
        TaskSnapshot task = service.task(context, taskId, LOOK);
        while (!task.status().isFinal() && control.isWanted())
            task = service.task(context, taskId, LOOK);
        ObjectNode result = switch (task.payload()) {
            case TaskSnapshot.Payload.Reply reply -> reply.reply().json(context.revision());
            case TaskSnapshot.Payload.Failure failure -> throw new RpcException(failure.error());
            case TaskSnapshot.Payload.None none -> throw withoutResult(task);
            case TaskSnapshot.Payload.Questions questions -> throw withoutResult(task);
        };
        ObjectNode related = McpJson.object().put("taskId", taskId);
        result.withObject("/" + Meta.FIELD).set(Meta.RELATED_TASK, related);
        return result;
    }

    private static RpcException withoutResult(TaskSnapshot task) {
        return RpcException.invalid("The task '" + task.taskId() + "' has no result: it is " + task.status().text()
                + ".");
    }

    /// Returns the id of a task for a client that may use tasks.
    private String taskId(ServerContext<C> context, ObjectNode params) throws RpcException {
        if (!settings.hasTasks())
            throw RpcException.unknownMethod("tasks/…, for this server has no tasks");
        if (context.revision().isModern() && !context.declaresTasks())
            throw RpcException.missingTasks();
        if (!context.revision().isModern() && !hasLegacyTasks(context))
            throw RpcException.unknownMethod("tasks/…, which revision " + context.revision().text() + " has not");
        return text(params, "taskId");
    }

    static boolean hasLegacyTasks(ServerContext<?> context) {
        return context.revision() == Revision.V2025_11_25;
    }

    private static @Nullable String cursor(ObjectNode params) throws RpcException {
        JsonNode cursor = params.path("cursor");
        if (cursor.isMissingNode() || cursor.isNull())
            return null;
        String text = cursor.stringValue(null);
        if (text == null)
            throw RpcException.invalid("The field cursor must be a text.");
        return text;
    }

    private static String text(ObjectNode params, String field) throws RpcException {
        String text = params.path(field).stringValue(null);
        if (text == null || text.isEmpty())
            throw RpcException.invalid("The field " + field + " must be a text that is not empty.");
        return text;
    }
}
