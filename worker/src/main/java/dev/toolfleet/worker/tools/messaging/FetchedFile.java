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
    /// @param declaredLength as the answer says, -1 if it does not
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

    /// Its length as the answer says; null if it does not.
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

    /// Saves it if that is wished, and adds to a result where it is and, as far as that is wished and fits, what is in
    /// it.
    public void deliver(FileWish wish, ObjectNode result) {
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
