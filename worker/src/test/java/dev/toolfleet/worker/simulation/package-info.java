/// A deterministic simulation of the engine: its real loops over an in-memory Kafka, in virtual time, one seed a run.
@NullMarked
package dev.toolfleet.worker.simulation;

import org.jspecify.annotations.NullMarked;
