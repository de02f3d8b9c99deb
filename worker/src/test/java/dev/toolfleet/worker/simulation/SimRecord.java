package dev.toolfleet.worker.simulation;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/// A record on its way into a log.
record SimRecord(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {}
