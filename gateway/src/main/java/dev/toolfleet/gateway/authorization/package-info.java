/// Callbacks of authorization servers: browsers that come back.
@NullMarked
package dev.toolfleet.gateway.authorization;

import org.jspecify.annotations.NullMarked;
