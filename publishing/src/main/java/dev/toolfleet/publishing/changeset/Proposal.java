package dev.toolfleet.publishing.changeset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.toolfleet.json.Digests;
import dev.toolfleet.publishing.git.FileDiff;
import dev.toolfleet.tool.Operand;

/// Commit that a person may approve: its message and its changes.
record Proposal(String message, FileDiff diff) {
    private byte[] text() {
        byte[] head = ("message: " + message.replace("\n", "\n         ") + "\n\n").getBytes(StandardCharsets.UTF_8);
        byte[] changes = diff.text();
        byte[] all = Arrays.copyOf(head, head.length + changes.length);
        System.arraycopy(changes, 0, all, head.length, changes.length);
        return all;
    }

    /// Returns the digest of everything.
    String digest() {
        return Digests.sha256(text());
    }

    /// Returns what an approval binds. A content that is no text cannot be shown, and counts as hidden.
    List<Operand> operands(String name) {
        List<Operand> operands = new ArrayList<>();
        operands.add(Operand.of(name, text()));
        diff.binaries().forEach((path, content) -> operands.add(
                new Operand(name + ":" + path, content.length, Digests.sha256(content), null)));
        return operands;
    }
}
