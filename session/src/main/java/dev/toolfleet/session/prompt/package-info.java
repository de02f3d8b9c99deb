/// System prompts of sections, with a part that providers can cache.
@NullMarked
package dev.toolfleet.session.prompt;

import org.jspecify.annotations.NullMarked;
