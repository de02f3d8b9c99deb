package dev.toolfleet.bench.verdict;

import java.util.Optional;

/// Call as a client over HTTP had it.
///
/// @param answer its final result; empty if it got none
/// @param trouble the reason why it got none; empty otherwise
/// @param requests the number of requests that it took
public record ClientFact(String callId, Optional<GivenAnswer> answer, String trouble, int requests) {}
