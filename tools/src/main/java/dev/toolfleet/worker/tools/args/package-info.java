/// Code that the built-in tools share: typed arguments, paths that stay inside the workdir, and text cut at bytes.
@NullMarked
package dev.toolfleet.worker.tools.args;

import org.jspecify.annotations.NullMarked;
