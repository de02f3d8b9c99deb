/// Principals of the gateway: tokens, scopes, and the check of requests. Knows nothing of Kafka.
@NullMarked
package dev.toolfleet.gateway.access;

import org.jspecify.annotations.NullMarked;
