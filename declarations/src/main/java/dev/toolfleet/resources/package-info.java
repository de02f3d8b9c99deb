/// Resources of all bundles for readers of `tool.resource`: whole revisions only, and the plan for replacing one.
@NullMarked
package dev.toolfleet.resources;

import org.jspecify.annotations.NullMarked;
