/// Limits on what principals may have open at the gateway at a time. Knows nothing of tokens, routes and Kafka.
@NullMarked
package dev.toolfleet.gateway.limits;

import org.jspecify.annotations.NullMarked;
