/// The session service as a whole: settings, start and stop.
@NullMarked
package dev.toolfleet.sessions.app;

import org.jspecify.annotations.NullMarked;
