/// Code that the messaging Tools share: the account of a call, its permitted destinations, a bounded exchange that
/// waits when the service requests it, and downloads that stay on the service's own hosts.
@NullMarked
package dev.toolfleet.worker.tools.messaging;

import org.jspecify.annotations.NullMarked;
