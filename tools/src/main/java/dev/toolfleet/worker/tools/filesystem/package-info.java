/// The tool `file-system`: reads, writes, lists and makes folders inside the workdir.
@NullMarked
package dev.toolfleet.worker.tools.filesystem;

import org.jspecify.annotations.NullMarked;
