/// Tests of the server.
@NullMarked
package dev.toolfleet.http;

import org.jspecify.annotations.NullMarked;
