/// Bundles in a git repository, read and written without a working copy.
@NullMarked
package dev.toolfleet.publishing.git;

import org.jspecify.annotations.NullMarked;
