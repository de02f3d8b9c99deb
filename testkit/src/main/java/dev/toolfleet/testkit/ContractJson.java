package dev.toolfleet.testkit;

import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;

/// Reader of JSON in Java sources.
final class ContractJson {
    /// Allows single quotes, which need no escape in Java.
    static final JsonMapper LENIENT = JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

    private ContractJson() {}
}
