package dev.toolfleet.bundle;

import java.util.Optional;

/// Policy attributes of an export.
///
/// @param group the group whose defaults apply to it
/// @param requiresApproval true if each call requires approval
/// @param isTransactional true if it moves money or goods: it then needs a grant, whatever else allows it
/// @param accessesSensitiveData true if its audit and error events are marked sensitive
public record ExportPolicy(Optional<String> group, boolean requiresApproval, boolean isTransactional,
        boolean accessesSensitiveData) {
    static ExportPolicy of(ResourceJson json) {
        return new ExportPolicy(json.get("group").optionalText(), json.get("requiresApproval").flag(),
                json.get("isTransactional").flag(), json.get("accessesSensitiveData").flag());
    }
}
