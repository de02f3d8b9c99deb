@NullMarked
package dev.toolfleet.sessions;

import org.jspecify.annotations.NullMarked;
