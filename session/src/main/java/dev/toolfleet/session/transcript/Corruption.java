package dev.toolfleet.session.transcript;

/// Fault of a transcript.
///
/// @param kind the fault's kind
/// @param index the entry's position from 0 in the examined list, or the line's position in a file
/// @param description one sentence that names the entry and its fate
public record Corruption(Kind kind, int index, String description) {
    /// Kind of fault, with the names of seed 003, section 4.5.
    public enum Kind {
        /// A record cannot be read.
        TRUNCATED_JSON("truncated-json"),
        /// An entry stands twice, or a call has a second result.
        DUPLICATE_ENTRY("duplicate-entry"),
        /// No call can own a result.
        ORPHAN_TOOL_RESULT("orphan-tool-result"),
        /// A call has no result, or an empty one.
        MISSING_TOOL_RESULT("missing-tool-result"),
        /// A result does not stand behind its call.
        INVALID_ROLE_SEQUENCE("invalid-role-sequence");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /// Returns the name in reports.
        public String wireName() {
            return wireName;
        }
    }
}
