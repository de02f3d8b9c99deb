package dev.toolfleet.gateway.lists;

import java.util.Map;

import dev.toolfleet.gateway.calls.Answer;
import org.jspecify.annotations.Nullable;

/// Catalogs of the newest steps, as the catalog services of the fleet show them. Thread-safe; reads block.
public interface NewestCatalogs {
    /// Knows no catalog service.
    NewestCatalogs NONE = (instanceKey, agent, format, ifNoneMatch) -> new Answer.Unknown<>(
            "this gateway knows no catalog service; set gateway.catalog.url, or announce a step, whose answer has its"
                    + " catalog");

    /// Answer of a catalog service.
    ///
    /// @param headers those about the step and its validator, by their names in lower case
    /// @param body JSON; null if the client already has it
    @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
    record Shown(Map<String, String> headers, byte @Nullable [] body) {}

    /// Returns the catalog of the newest step of an instance's agent.
    ///
    /// @param format a format's name; null for the usual one
    /// @param ifNoneMatch validators that the client has; null for none
    Answer<Shown> newest(String instanceKey, String agent, @Nullable String format, @Nullable String ifNoneMatch);
}
