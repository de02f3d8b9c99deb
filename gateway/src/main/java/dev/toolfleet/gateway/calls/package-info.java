/// Read model of calls, as its readers see it: ids, views, events. Knows nothing of Kafka and of HTTP.
@NullMarked
package dev.toolfleet.gateway.calls;

import org.jspecify.annotations.NullMarked;
