package dev.toolfleet.cli.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.resources.BundleKeys;
import dev.toolfleet.resources.BundleSigner;

/// Key files of those who sign bundles.
public final class SigningKeys {
    private SigningKeys() {}

    /// A new pair.
    ///
    /// @param privateKey the file that stays with who signs
    /// @param publicKey the file for workers and catalog services
    /// @param text the public key as a setting takes it
    public record Made(Path privateKey, Path publicKey, String text) {}

    /// Makes `NAME.key` and `NAME.pub`.
    ///
    /// @throws Failure (failed) when one is there, or cannot be written
    public static Made make(Path name) {
        Path file = name.toAbsolutePath();
        Made made = new Made(file.resolveSibling(file.getFileName() + ".key"),
                file.resolveSibling(file.getFileName() + ".pub"), "");
        for (Path each : new Path[]{made.privateKey(), made.publicKey()}) {
            if (Files.exists(each))
                throw Failure.failed(each + " exists, and no key is overwritten; choose another name");
        }
        KeyPair pair = BundleKeys.generate();
        try {
            if (file.getParent() != null)
                Files.createDirectories(file.getParent());
            BundleKeys.write(made.privateKey(), pair.getPrivate());
            BundleKeys.write(made.publicKey(), pair.getPublic());
        } catch (IOException e) {
            throw Failure.failed("the keys cannot be written: " + e, e);
        }
        return new Made(made.privateKey(), made.publicKey(), BundleKeys.text(pair.getPublic()));
    }

    /// Signs with the private key in a file.
    ///
    /// @throws Failure (invalid) when there is none
    public static BundleSigner signer(Path file) {
        try {
            return new BundleSigner(BundleKeys.privateKey(file));
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.invalid("--sign " + file + ": no key can be read there (" + e
                    + "); make one with toolfleet key new");
        }
    }
}
