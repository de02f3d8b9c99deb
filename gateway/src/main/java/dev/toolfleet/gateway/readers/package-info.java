/// Readers of topics that the read model of calls does not hold.
@NullMarked
package dev.toolfleet.gateway.readers;

import org.jspecify.annotations.NullMarked;
