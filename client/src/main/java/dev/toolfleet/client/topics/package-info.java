/// Creates and checks the fleet's topics, and writes and reads record headers.
@NullMarked
package dev.toolfleet.client.topics;

import org.jspecify.annotations.NullMarked;
