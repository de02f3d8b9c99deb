/// Resources are shown in whole revisions.
@NullMarked
package dev.toolfleet.resources;

import org.jspecify.annotations.NullMarked;
