@NullMarked
package dev.toolfleet.sessions.app;

import org.jspecify.annotations.NullMarked;
