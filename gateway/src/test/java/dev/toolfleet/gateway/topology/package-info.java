/// Tests of the topology of the read model.
@NullMarked
package dev.toolfleet.gateway.topology;

import org.jspecify.annotations.NullMarked;
