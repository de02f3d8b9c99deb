/// Tests of ids and views.
@NullMarked
package dev.toolfleet.gateway.calls;

import org.jspecify.annotations.NullMarked;
