/// Tests of webhooks.
@NullMarked
package dev.toolfleet.gateway.webhook;

import org.jspecify.annotations.NullMarked;
