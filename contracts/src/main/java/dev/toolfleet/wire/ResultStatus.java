package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;

/// Status of a call.
public enum ResultStatus {
    /// The tool returned a value.
    @JsonProperty("ok")
    OK,
    /// The call failed.
    @JsonProperty("error")
    ERROR,
    /// The tool goes on elsewhere; a completion by the handle brings the final result.
    @JsonProperty("pending")
    PENDING,
    /// A status of a later version. Every status that this version does not know is read as this. Never written.
    @JsonEnumDefaultValue
    @JsonProperty("unknown")
    UNKNOWN
}
