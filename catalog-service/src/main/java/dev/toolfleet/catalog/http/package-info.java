/// Catalogs, resources and agents over HTTP: routes, the bearer token, problem documents, and which other service to
/// ask. Knows nothing of Kafka.
@NullMarked
package dev.toolfleet.catalog.http;

import org.jspecify.annotations.NullMarked;
