/// Which topics there are, how they are configured, and the headers that their records carry.
@NullMarked
package dev.toolfleet.topic;

import org.jspecify.annotations.NullMarked;
