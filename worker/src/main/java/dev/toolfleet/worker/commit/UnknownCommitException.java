package dev.toolfleet.worker.commit;

/// A commit was requested and its end is unknown. Only the committed offsets show it.
final class UnknownCommitException extends RuntimeException {
    UnknownCommitException(Throwable cause) {
        super("the end of a transaction is unknown: " + cause.getMessage(), cause);
    }
}
