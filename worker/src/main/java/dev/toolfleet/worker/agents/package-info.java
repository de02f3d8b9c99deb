/// What calls may say to agents: who may address whom, which instances there are, and what is sent with a call's result.
@NullMarked
package dev.toolfleet.worker.agents;

import org.jspecify.annotations.NullMarked;
