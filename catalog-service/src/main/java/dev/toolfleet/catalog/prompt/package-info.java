/// System prompts of agents, with the tools of a published catalog.
@NullMarked
package dev.toolfleet.catalog.prompt;

import org.jspecify.annotations.NullMarked;
