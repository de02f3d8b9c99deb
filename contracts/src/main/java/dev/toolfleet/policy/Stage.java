package dev.toolfleet.policy;

import java.util.List;

import dev.toolfleet.bundle.Choices;
import dev.toolfleet.bundle.PolicyRule;
import dev.toolfleet.bundle.Verdict;

/// The nine stages of FinClaw's phase 7 (section 5.2), in its order and under its names. Every rule belongs to one.
public enum Stage {
    /// Denials of tools by source or flag, or of all, and what operators have switched off.
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
    /// Approval for what moves money or goods; no rules.
    FINANCE_SAFETY,
    /// What the export, its group or a policy says by default; no rules.
    DEFAULT_POLICY;

    /// The stages that rules belong to, in order.
    static final List<Stage> OF_RULES = List.of(GLOBAL_DENY, GLOBAL_ALLOW, USER_DENY, USER_ALLOW, CHANNEL_POLICY,
            GROUP_POLICY, TOOL_POLICY);

    /// Where a rule belongs. Whom it is about comes first, then what: a rule with a user is a user's, also when it
    /// names a channel or a tool; `agentName` narrows a rule and moves it nowhere.
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

    /// As the seed writes it: `global-deny`.
    public String text() {
        return Choices.text(this);
    }
}
