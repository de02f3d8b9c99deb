package dev.toolfleet.cli.terminal;

/// Ends a command with an exit code and one line for the person who typed it.
public final class Failure extends RuntimeException {
    /// The command did what it was asked.
    public static final int SUCCESS = 0;
    /// The work failed.
    public static final int FAILED = 1;
    /// Usage or input is invalid; nothing ran.
    public static final int INVALID = 2;

    /// The command has ended so that it is started again (`EX_TEMPFAIL` of sysexits.h).
    public static final int RESTART = 75;

    private final int exitCode;

    private Failure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    private Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /// The work failed.
    public static Failure failed(String message) {
        return new Failure(FAILED, message);
    }

    /// The work failed because of `cause`, which `--verbose` shows.
    public static Failure failed(String message, Throwable cause) {
        return new Failure(FAILED, message, cause);
    }

    /// Usage or input is invalid.
    public static Failure invalid(String message) {
        return new Failure(INVALID, message);
    }

    /// The code that the process ends with.
    public int exitCode() {
        return exitCode;
    }
}
