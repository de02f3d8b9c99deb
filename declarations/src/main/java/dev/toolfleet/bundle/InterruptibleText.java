package dev.toolfleet.bundle;

import java.util.concurrent.CancellationException;

/// Text whose reading ends with a [CancellationException] soon after the reading thread was interrupted; the interrupt
/// flag stays set. For pattern matchers, which ignore interrupts. One reader at a time.
public final class InterruptibleText implements CharSequence {
    private static final int PERIOD = 1024;

    private final String text;
    private int reads;

    /// @param text the text
    public InterruptibleText(String text) {
        this.text = text;
    }

    @Override
    public char charAt(int index) {
        if (++reads % PERIOD == 0 && Thread.currentThread().isInterrupted())
            throw new CancellationException("interrupted while a pattern was matched");
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
