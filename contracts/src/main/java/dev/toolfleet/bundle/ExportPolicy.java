package dev.toolfleet.bundle;

import java.util.Optional;

/// What policy knows about an export.
///
/// @param group the group whose defaults apply to it
/// @param requiresApproval a person has to approve each call
/// @param isTransactional moves money or goods: needs a grant whatever else allows it
/// @param accessesSensitiveData its audit and error events are marked sensitive
public record ExportPolicy(Optional<String> group, boolean requiresApproval, boolean isTransactional,
        boolean accessesSensitiveData) {
    static ExportPolicy of(ResourceJson json) {
        return new ExportPolicy(json.get("group").optionalText(), json.get("requiresApproval").flag(),
                json.get("isTransactional").flag(), json.get("accessesSensitiveData").flag());
    }
}
