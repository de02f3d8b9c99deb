package dev.toolfleet.session.prompt;

import java.util.List;

/// Investment profile of a user (seed 003, section 4.8).
///
/// @param riskTolerance `conservative`, `moderate` or `aggressive`
/// @param preferredMarkets names of markets
/// @param complianceLevel the rules that apply
public record InvestmentProfile(String riskTolerance, List<String> preferredMarkets, ComplianceLevel complianceLevel) {
    /// Kind of client, which decides about the rules.
    public enum ComplianceLevel {
        /// A private person; the default.
        RETAIL,
        /// A professional client.
        PROFESSIONAL,
        /// An institution.
        INSTITUTIONAL
    }

    /// Freezes the list.
    public InvestmentProfile {
        preferredMarkets = List.copyOf(preferredMarkets);
    }
}
