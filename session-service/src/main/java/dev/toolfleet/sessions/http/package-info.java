/// HTTP of the session service.
@NullMarked
package dev.toolfleet.sessions.http;

import org.jspecify.annotations.NullMarked;
