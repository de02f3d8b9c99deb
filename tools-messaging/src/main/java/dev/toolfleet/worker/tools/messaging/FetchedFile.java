package dev.toolfleet.worker.tools.messaging;

import java.util.Base64;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A file as it came.
public final class FetchedFile {
    private final byte[] bytes;
    private final Map<String, String> headers;
    private final long declaredLength;
    private final boolean redirected;

    /// @param headers of the answer, names in lower case
    /// @param declaredLength the length in the answer's header, -1 if there is none
    FetchedFile(byte[] bytes, Map<String, String> headers, long declaredLength, boolean redirected) {
        this.bytes = bytes;
        this.headers = Map.copyOf(headers);
        this.declaredLength = declaredLength;
        this.redirected = redirected;
    }

    /// A header of the answer; null if there is none.
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /// Returns the length in the answer's header; null if there is none.
    public @Nullable Long declaredLength() {
        return declaredLength < 0 ? null : declaredLength;
    }

    /// Its length.
    public int size() {
        return bytes.length;
    }

    /// True if the file came from another address than the requested one.
    public boolean redirected() {
        return redirected;
    }

    /// Saves it if requested, and adds its place to a result. Adds its content, too, if requested and if it fits.
    public void deliver(FileRequest wish, ObjectNode result) {
        wish.target().ifPresent(target -> target.write(bytes));
        boolean inlined = wish.base64() && bytes.length <= wish.maxInlineBytes();
        String type = header("content-type");
        String base64 = inlined ? Base64.getEncoder().encodeToString(bytes) : null;
        boolean asUrl = base64 != null && wish.dataUrl() && type != null && bytes.length > 0;
        result.put("savedPath", wish.target().map(target -> target.path().toString()).orElse(null))
                .put("inlined", inlined).put("base64", base64)
                .put("dataUrl", asUrl ? "data:" + type + ";base64," + base64 : null);
    }
}
