package dev.toolfleet.topic;

/// `ce_type` of every record.
public enum EventType {
    /// A tool call.
    TOOL_CALL("dev.toolfleet.tool.call.v1"),
    /// A resumed call.
    TOOL_CALL_RESUMED("dev.toolfleet.tool.call.resumed.v1"),
    /// A tool result.
    TOOL_RESULT("dev.toolfleet.tool.result.v1"),
    /// Progress of a call.
    TOOL_PROGRESS("dev.toolfleet.tool.progress.v1"),
    /// A failed call.
    TOOL_ERROR("dev.toolfleet.tool.error.v1"),
    /// A pending call.
    TOOL_PENDING("dev.toolfleet.tool.pending.v1"),
    /// A completion.
    TOOL_COMPLETION("dev.toolfleet.tool.completion.v1"),
    /// A decision.
    TOOL_DECISION("dev.toolfleet.tool.decision.v1"),
    /// A verdict, a decision, an operator's action.
    TOOL_AUDIT("dev.toolfleet.tool.audit.v1"),
    /// A cancellation.
    TOOL_CONTROL("dev.toolfleet.tool.control.v1"),
    /// An operator's order to a lane.
    TOOL_CONTROL_LANE("dev.toolfleet.tool.control.lane.v1"),
    /// An operator's order about labels.
    TOOL_CONTROL_LABELS("dev.toolfleet.tool.control.labels.v1"),
    /// An intent or an open handle.
    TOOL_JOURNAL("dev.toolfleet.tool.journal.v1"),
    /// A step that begins or ends.
    AGENT_STEP("dev.toolfleet.agent.step.v1"),
    /// An event from one agent to another.
    AGENT_EVENT("dev.toolfleet.agent.event.v1"),
    /// An instance of an agent.
    AGENT_INSTANCE("dev.toolfleet.agent.instance.v1"),
    /// An amount that was spent of a budget.
    TOOL_BUDGET("dev.toolfleet.tool.budget.v1"),
    /// A label of an agent instance.
    AGENT_LABEL("dev.toolfleet.agent.label.v1"),
    /// A change of a session's messages.
    SESSION_MESSAGE("dev.toolfleet.session.message.v1"),
    /// A session's state.
    SESSION_STATE("dev.toolfleet.session.state.v1"),
    /// A report about a session.
    SESSION_REPORT("dev.toolfleet.session.report.v1"),
    /// A grant.
    OAUTH_GRANT("dev.toolfleet.oauth.grant.v1"),
    /// An authorization under way.
    OAUTH_SESSION("dev.toolfleet.oauth.session.v1"),
    /// An order to the owner of a grant.
    OAUTH_ORDER("dev.toolfleet.oauth.order.v1"),
    /// A step's catalog.
    CATALOG_STEP("dev.toolfleet.tool.catalog.step.v1"),
    /// A catalog's content.
    CATALOG_CONTENT("dev.toolfleet.tool.catalog.content.v1"),
    /// A resource.
    TOOL_RESOURCE("dev.toolfleet.tool.resource.v1");

    private final String text;

    EventType(String text) {
        this.text = text;
    }

    /// Returns its text in the header.
    public String text() {
        return text;
    }
}
