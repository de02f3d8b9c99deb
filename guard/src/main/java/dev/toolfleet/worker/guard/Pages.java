package dev.toolfleet.worker.guard;

import java.util.concurrent.Semaphore;

/// Reader of pages within bounds. A page of 1 MB can become a tree of 500 MB. So a page is cut before it is read, and a
/// process reads one large page at a time. Otherwise: three fetches side by side end a worker, and the next one.
///
/// @param max characters of a page that are read
record Pages(long max) {
    /// Factor by which a page may be longer than its result: most of a page is markup.
    private static final int MARKUP = 4;
    /// Longest page that is read side by side with others.
    private static final int SMALL = 32 * 1024;
    private static final Semaphore LARGE = new Semaphore(1);

    /// Text of a page.
    ///
    /// @param text the visible text
    /// @param cut whether the page was longer than the part that was read
    record Read(String text, boolean cut) {}

    /// Creates a reader for results of this length.
    static Pages forResults(int maxContentLength) {
        return new Pages((long) MARKUP * maxContentLength);
    }

    /// Reads a page, or a piece of one, without code and loaded content.
    ///
    /// @param allowed whether harmless markup stays: text formats, lists, tables and links
    Read read(String page, boolean allowed) {
        boolean cut = page.length() > max;
        String head = cut ? head(page, (int) max) : page;
        String text = head.length() <= SMALL ? HtmlText.read(head, allowed) : alone(head, allowed);
        return new Read(cut ? text + "\n" + Markers.TRUNCATED : text, cut);
    }

    private static String alone(String page, boolean allowed) {
        // Uninterruptible: if the call ended meanwhile, it has its answer already.
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
