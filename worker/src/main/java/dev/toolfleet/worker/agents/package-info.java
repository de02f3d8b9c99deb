/// Messages of calls to agents: the rules for them, the known instances, and the events that go with a call's result.
@NullMarked
package dev.toolfleet.worker.agents;

import org.jspecify.annotations.NullMarked;
