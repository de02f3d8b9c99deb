package dev.toolfleet.resources;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/// Ed25519 keys for signing bundles (RFC 8410): private ones as PKCS #8 in PEM, public ones as SubjectPublicKeyInfo, in
/// PEM or as one line of Base64. OpenSSL reads and writes the same files.
public final class BundleKeys {
    private static final String ALGORITHM = "Ed25519";
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    /// The beginning of every Ed25519 public key in Base64: the header of its SubjectPublicKeyInfo.
    private static final String PUBLIC_BEGINS = "MCowBQYDK2VwAyEA";

    private BundleKeys() {}

    /// A new pair.
    public static KeyPair generate() {
        try {
            return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform since 15 has Ed25519", e);
        }
    }

    /// Writes a private key to a new file that its owner alone may read.
    ///
    /// @throws IOException when the file exists, or cannot be written
    public static void write(Path file, PrivateKey key) throws IOException {
        if (Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix"))
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        else
            Files.createFile(file);
        Files.writeString(file, pem(PRIVATE, key.getEncoded()));
    }

    /// Writes a public key to a new file.
    ///
    /// @throws IOException when the file exists, or cannot be written
    public static void write(Path file, PublicKey key) throws IOException {
        Files.writeString(file, pem(PUBLIC, key.getEncoded()), StandardOpenOption.CREATE_NEW);
    }

    /// A public key as one line, for settings.
    public static String text(PublicKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /// The private key in a file.
    ///
    /// @throws IOException when the file cannot be read
    /// @throws IllegalArgumentException when it holds none
    public static PrivateKey privateKey(Path file) throws IOException {
        byte[] encoded = decoded(Files.readString(file), PRIVATE, file.toString());
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " holds no Ed25519 private key", e);
        }
    }

    /// The public key of a line of Base64, or in the file of that name.
    ///
    /// @throws IOException when it is the name of a file that cannot be read
    /// @throws IllegalArgumentException when it is none
    public static PublicKey publicKey(String textOrFile) throws IOException {
        String text = textOrFile.strip();
        byte[] encoded = text.startsWith(PUBLIC_BEGINS)
                ? base64(text, text)
                : decoded(Files.readString(Path.of(text)), PUBLIC, text);
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(text + " is no Ed25519 public key", e);
        }
    }

    private static String pem(String type, byte[] encoded) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(encoded)
                + "\n-----END " + type + "-----\n";
    }

    private static byte[] decoded(String pem, String type, String where) {
        String begin = "-----BEGIN " + type + "-----";
        int from = pem.indexOf(begin);
        int to = pem.indexOf("-----END " + type + "-----");
        if (from < 0 || to < from)
            throw new IllegalArgumentException(where + " holds no '" + begin + "'");
        return base64(pem.substring(from + begin.length(), to).replaceAll("\\s", ""), where);
    }

    private static byte[] base64(String text, String where) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + " is no Base64", e);
        }
    }
}
