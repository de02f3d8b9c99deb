/// Webhooks: signature, addresses, and the requests that post results to callbacks. Knows nothing of Kafka.
@NullMarked
package dev.toolfleet.gateway.webhook;

import org.jspecify.annotations.NullMarked;
