/// Changes that agents make to their own bundle: opened, judged and committed to a git repository, then applied.
@NullMarked
package dev.toolfleet.publishing.changeset;

import org.jspecify.annotations.NullMarked;
