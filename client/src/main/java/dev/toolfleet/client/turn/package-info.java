/// Turns of a model: steps, the calls of one assistant message, their results as text for the model, and later news. The
/// adapters of agent frameworks stand on it.
@NullMarked
package dev.toolfleet.client.turn;

import org.jspecify.annotations.NullMarked;
