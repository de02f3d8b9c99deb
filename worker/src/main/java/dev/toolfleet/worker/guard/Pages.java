package dev.toolfleet.worker.guard;

import java.util.concurrent.Semaphore;

/// Reads pages within bounds. A page of 1 MB can become a tree of 500 MB; so a page is cut before it is read, and of
/// large pages one is read at a time in a process. Otherwise: three fetches side by side end a worker, and the next one.
///
/// @param max characters of a page that are read
record Pages(long max) {
    /// How much longer than its result a page may be: most of a page is markup.
    private static final int MARKUP = 4;
    /// Pages up to this length are read side by side.
    private static final int SMALL = 32 * 1024;
    private static final Semaphore LARGE = new Semaphore(1);

    /// @param text what it shows
    /// @param cut whether the page was longer than what was read
    record Read(String text, boolean cut) {}

    /// For results of this length.
    static Pages forResults(int maxContentLength) {
        return new Pages((long) MARKUP * maxContentLength);
    }

    /// A page, or a piece of one, without what a browser would run or load.
    ///
    /// @param allowed whether harmless markup stays: text formats, lists, tables and links
    Read read(String page, boolean allowed) {
        boolean cut = page.length() > max;
        String head = cut ? head(page, (int) max) : page;
        String text = head.length() <= SMALL ? HtmlText.read(head, allowed) : alone(head, allowed);
        return new Read(cut ? text + "\n" + Markers.TRUNCATED : text, cut);
    }

    private static String alone(String page, boolean allowed) {
        // Whoever ended the call meanwhile has answered for it.
        LARGE.acquireUninterruptibly();
        try {
            return HtmlText.read(page, allowed);
        } finally {
            LARGE.release();
        }
    }

    private static String head(String page, int length) {
        return page.substring(0, Character.isHighSurrogate(page.charAt(length - 1)) ? length - 1 : length);
    }
}
