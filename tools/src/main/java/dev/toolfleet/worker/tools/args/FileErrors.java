package dev.toolfleet.worker.tools.args;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;

/// Errors of the file system, in a form on which a model can act. They show paths as the model gave them. Pure.
public final class FileErrors {
    private static final Map<String, String> CODES_OF_REASONS = Map.of("Is a directory", "EISDIR", "Not a directory",
            "ENOTDIR", "No space left on device", "ENOSPC", "Too many levels of symbolic links", "ELOOP",
            "File name too long", "ENAMETOOLONG", "Read-only file system", "EROFS", "Permission denied", "EACCES",
            "Operation not permitted", "EACCES", "Disk quota exceeded", "ENOSPC");

    private FileErrors() {}

    /// Returns the error for a failure at a path.
    public static ToolException of(IOException e, String given) {
        return switch (e) {
            case NoSuchFileException x -> of("ENOENT", given, x);
            case AccessDeniedException x -> of("EACCES", given, x);
            case FileAlreadyExistsException x -> of("EEXIST", given, x);
            case NotDirectoryException x -> of("ENOTDIR", given, x);
            case FileSystemLoopException x -> of("ELOOP", given, x);
            case FileSystemException x -> of(codeOf(x.getReason()), given, x);
            default -> of(codeOf(e.getMessage()), given, e);
        };
    }

    /// The error with a code of the operating system.
    public static ToolException of(String code, String given) {
        return new ToolException(code, message(code, given)).suggestion(suggestion(code));
    }

    private static ToolException of(String code, String given, IOException cause) {
        String reason = code.equals("EIO") && cause.getMessage() != null ? " (" + cause.getMessage() + ")" : "";
        return new ToolException(code, message(code, given) + reason, cause).suggestion(suggestion(code));
    }

    private static String codeOf(@Nullable String reason) {
        String text = reason == null ? "" : reason; // Some go on after the system's words.
        return CODES_OF_REASONS.entrySet().stream().filter(entry -> text.startsWith(entry.getKey()))
                .map(Map.Entry::getValue).findFirst().orElse("EIO");
    }

    private static String message(String code, String given) {
        String what = switch (code) {
            case "ENOENT" -> "no such file or directory";
            case "EACCES" -> "permission denied";
            case "EISDIR" -> "it is a directory";
            case "ENOTDIR" -> "it, or a part of the path, is not a directory";
            case "EEXIST" -> "it exists already";
            case "ELOOP" -> "too many symbolic links";
            case "ENAMETOOLONG" -> "the name is too long";
            case "ENOSPC" -> "no space is left";
            case "EROFS" -> "the file system is read-only";
            case "EINVAL" -> "it is not a regular file";
            default -> "input or output failed";
        };
        return what + ": '" + given + "'";
    }

    private static String suggestion(String code) {
        return switch (code) {
            case "ENOENT" -> "List the directory to see what is there, and check the spelling; relative paths start in "
                    + "the working directory.";
            case "EACCES", "EROFS" -> "Use another path; you may not use this one.";
            case "EISDIR" -> "Name a file in it, or list the directory.";
            case "ENOTDIR" -> "List the parent directory to see what is a directory.";
            case "EEXIST" -> "Use another path, or go on with what is there.";
            case "ELOOP", "ENAMETOOLONG", "EINVAL" -> "Use the path of a regular file or directory.";
            case "ENOSPC" -> "Delete files that are no longer needed, or write less.";
            default -> "Try once more; if it fails again, tell the user.";
        };
    }
}
