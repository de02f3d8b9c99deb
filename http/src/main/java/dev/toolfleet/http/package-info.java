/// HTTP server of the fleet's processes: the server and its port, the bearer token, health, metrics and problem
/// documents. Independent of Kafka and of the single processes.
@NullMarked
package dev.toolfleet.http;

import org.jspecify.annotations.NullMarked;
