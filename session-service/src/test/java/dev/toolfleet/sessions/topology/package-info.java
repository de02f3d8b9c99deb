@NullMarked
package dev.toolfleet.sessions.topology;

import org.jspecify.annotations.NullMarked;
