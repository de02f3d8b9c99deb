/// Requests to authorization servers.
@NullMarked
package dev.toolfleet.oauth.server;

import org.jspecify.annotations.NullMarked;
