package dev.toolfleet.mcp.protocol;

/// Names of the methods and notifications that are used here.
public final class Methods {
    /// Lists versions and capabilities of a server (modern).
    public static final String DISCOVER = "server/discover";
    /// Begins a conversation (legacy).
    public static final String INITIALIZE = "initialize";
    /// Ends the beginning (legacy).
    public static final String INITIALIZED = "notifications/initialized";
    /// Finds out if the other side is there (legacy).
    public static final String PING = "ping";
    /// Lists tools.
    public static final String LIST_TOOLS = "tools/list";
    /// Calls a tool.
    public static final String CALL_TOOL = "tools/call";
    /// Lists prompts.
    public static final String LIST_PROMPTS = "prompts/list";
    /// Lists resources.
    public static final String LIST_RESOURCES = "resources/list";
    /// Lists templates of resources.
    public static final String LIST_TEMPLATES = "resources/templates/list";
    /// Reads a prompt.
    public static final String GET_PROMPT = "prompts/get";
    /// Reads a resource.
    public static final String READ_RESOURCE = "resources/read";
    /// Reads a task.
    public static final String GET_TASK = "tasks/get";
    /// Reads the result of a task (experimental tasks of 2025-11-25).
    public static final String TASK_RESULT = "tasks/result";
    /// Answers questions of a task (modern).
    public static final String UPDATE_TASK = "tasks/update";
    /// Wishes the end of a task.
    public static final String CANCEL_TASK = "tasks/cancel";
    /// Opens a stream of notifications (modern).
    public static final String LISTEN = "subscriptions/listen";
    /// First message of such a stream.
    public static final String LISTENING = "notifications/subscriptions/acknowledged";
    /// Wishes the end of a request, or states that of a subscription.
    public static final String CANCELLED = "notifications/cancelled";
    /// Reports progress of a request.
    public static final String PROGRESS = "notifications/progress";
    /// Reports the state of a task (modern).
    public static final String TASK_CHANGED = "notifications/tasks";
    /// Reports that the list of tools has changed.
    public static final String TOOLS_CHANGED = "notifications/tools/list_changed";
    /// Question of a server to the person behind a client.
    public static final String ELICIT = "elicitation/create";
    /// Question of a server about the folders of a client (legacy).
    public static final String LIST_ROOTS = "roots/list";

    private Methods() {}
}
