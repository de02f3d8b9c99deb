/// The built-in extension `skills`: instructions that a model reads when it needs them.
@NullMarked
package dev.toolfleet.worker.tools.skills;

import org.jspecify.annotations.NullMarked;
