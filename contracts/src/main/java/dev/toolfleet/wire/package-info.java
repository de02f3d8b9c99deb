/// The records that travel on topics, and the codec that turns them into JSON and back.
@NullMarked
package dev.toolfleet.wire;

import org.jspecify.annotations.NullMarked;
