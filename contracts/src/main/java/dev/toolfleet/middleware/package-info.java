/// What an extension author implements: the onion around each tool call.
@NullMarked
package dev.toolfleet.middleware;

import org.jspecify.annotations.NullMarked;
