/// HTTP routes for catalogs, resources and agents, with the bearer token, problem documents and the choice of another
/// service. Independent of Kafka.
@NullMarked
package dev.toolfleet.catalog.http;

import org.jspecify.annotations.NullMarked;
