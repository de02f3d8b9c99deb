package dev.toolfleet.policy;

import java.util.List;

import dev.toolfleet.bundle.Choices;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.Verdict;

/// The stages of FinClaw's phase 7 (section 5.2), in its order and under its names. Every rule belongs to one.
public enum Stage {
    /// Denials of tools by source or flag, or of all, and operators' denials.
    GLOBAL_DENY,
    /// Allowances and approvals of tools by source or flag, or of all.
    GLOBAL_ALLOW,
    /// Denials for users.
    USER_DENY,
    /// Allowances and approvals for users.
    USER_ALLOW,
    /// Any rule for channels.
    CHANNEL_POLICY,
    /// Any rule for groups.
    GROUP_POLICY,
    /// Any rule for tools by name.
    TOOL_POLICY,
    /// Approval for tools that move money or goods; no rules.
    FINANCE_SAFETY,
    /// Defaults of the export, its group and the policies; no rules.
    DEFAULT_POLICY;

    /// The stages that rules belong to, in order.
    static final List<Stage> OF_RULES = List.of(GLOBAL_DENY, GLOBAL_ALLOW, USER_DENY, USER_ALLOW, CHANNEL_POLICY,
            GROUP_POLICY, TOOL_POLICY);

    /// Returns the stage of a rule. Its scope comes first, then its tools: a rule with a user is a user's, also when it
    /// names a channel or a tool. `agentName` narrows a rule and never moves it.
    public static Stage of(PolicyRule rule) {
        boolean denies = rule.verdict() == Verdict.DENY;
        if (!rule.scope().userIds().isEmpty())
            return denies ? USER_DENY : USER_ALLOW;
        if (!rule.scope().channelIds().isEmpty())
            return CHANNEL_POLICY;
        if (rule.selector().namesTools())
            return TOOL_POLICY;
        if (!rule.selector().groups().isEmpty())
            return GROUP_POLICY;
        return denies ? GLOBAL_DENY : GLOBAL_ALLOW;
    }

    /// Returns its text as in the seed: `global-deny`.
    public String text() {
        return Choices.text(this);
    }
}
