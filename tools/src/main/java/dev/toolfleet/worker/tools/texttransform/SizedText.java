package dev.toolfleet.worker.tools.texttransform;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.JsonText;

/// Text that grows while there is room for it in a result: some replacements make a megabyte out of every character.
final class SizedText {
    /// Bytes of JSON; the text it was made of, which may take as many, stands beside it.
    static final int MAX_BYTES = 1_000_000;

    private final StringBuilder text = new StringBuilder();
    private int size;

    /// Adds a part.
    ///
    /// @throws ToolException `E_TOOL_RESULT_TOO_LARGE`
    SizedText append(CharSequence part) {
        reserve(JsonText.size(part.toString()));
        text.append(part);
        return this;
    }

    /// Counts bytes around the text.
    void reserve(int bytes) {
        if (bytes > MAX_BYTES - size)
            throw new ToolException(ErrorCode.E_TOOL_RESULT_TOO_LARGE.name(),
                    "The result would be larger than " + MAX_BYTES + " bytes.")
                    .suggestion("Transform a smaller part of the text.");
        size += bytes;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
