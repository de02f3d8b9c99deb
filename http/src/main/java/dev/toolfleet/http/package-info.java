/// How the processes of the fleet answer over HTTP: the server and its port, the bearer token, health, metrics and problem
/// documents. Knows nothing of Kafka, and none of the processes.
@NullMarked
package dev.toolfleet.http;

import org.jspecify.annotations.NullMarked;
