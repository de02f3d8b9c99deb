/// The resources of all bundles as readers of `tool.resource` see them: whole revisions only, and the plan by which a
/// writer replaces one.
@NullMarked
package dev.toolfleet.resources;

import org.jspecify.annotations.NullMarked;
