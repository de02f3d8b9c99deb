/// What the Tools that speak to a messaging service share: who they speak as and with whom, a bounded exchange that
/// waits when the service says so, and downloads that stay on the service's own hosts.
@NullMarked
package dev.toolfleet.worker.tools.messaging;

import org.jspecify.annotations.NullMarked;
