/// Access to the fleet's topics: the roles, the Kafka ACLs of each, and their creation on the brokers.
@NullMarked
package dev.toolfleet.client.access;

import org.jspecify.annotations.NullMarked;
