/// The tool `bash`: commands and scripts in a shell, each in a process group that dies with its call.
@NullMarked
package dev.toolfleet.worker.tools.bash;

import org.jspecify.annotations.NullMarked;
