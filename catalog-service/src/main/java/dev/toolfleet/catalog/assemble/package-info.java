/// Content of a step's catalog, as functions of values: the tools of an agent and the history of its steps.
@NullMarked
package dev.toolfleet.catalog.assemble;

import org.jspecify.annotations.NullMarked;
