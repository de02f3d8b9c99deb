/// Who may do what with the fleet's topics: the roles, the Kafka ACLs of each, and how they get to the brokers.
@NullMarked
package dev.toolfleet.client.access;

import org.jspecify.annotations.NullMarked;
