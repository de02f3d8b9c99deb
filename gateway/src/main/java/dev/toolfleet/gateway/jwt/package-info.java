/// JWTs of authorization servers: their keys, signatures, times and claims. Knows nothing of principals, routes and Kafka.
@NullMarked
package dev.toolfleet.gateway.jwt;

import org.jspecify.annotations.NullMarked;
