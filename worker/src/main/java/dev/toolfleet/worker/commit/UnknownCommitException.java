package dev.toolfleet.worker.commit;

/// A commit was asked for and nobody knows whether it took place. Only the committed offsets can tell.
final class UnknownCommitException extends RuntimeException {
    UnknownCommitException(Throwable cause) {
        super("the end of a transaction is unknown: " + cause.getMessage(), cause);
    }
}
