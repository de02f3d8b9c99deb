/// Lists of the fleet: declarations, open approvals, errors, dead letters. Knows nothing of Kafka's clients and HTTP.
@NullMarked
package dev.toolfleet.gateway.lists;

import org.jspecify.annotations.NullMarked;
