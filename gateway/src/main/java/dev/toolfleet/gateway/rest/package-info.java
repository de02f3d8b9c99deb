/// Routes of the gateway: steps, calls, handles, events.
@NullMarked
package dev.toolfleet.gateway.rest;

import org.jspecify.annotations.NullMarked;
