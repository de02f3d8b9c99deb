/// The owner of grants: a Kafka Streams topology.
@NullMarked
package dev.toolfleet.oauth.owner;

import org.jspecify.annotations.NullMarked;
