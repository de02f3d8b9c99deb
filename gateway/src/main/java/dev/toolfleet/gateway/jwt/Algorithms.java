package dev.toolfleet.gateway.jwt;

import java.util.Set;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;

/// Signature algorithms that are accepted, and the keys that fit each.
///
/// **Why.** The algorithm is chosen by the token, so the key must be of its kind. Otherwise: a token that is signed by
/// HMAC with the text of a public key as the secret is accepted.
final class Algorithms {
    private static final Set<JWSAlgorithm> RSA = Set.of(JWSAlgorithm.RS256, JWSAlgorithm.RS384, JWSAlgorithm.RS512,
            JWSAlgorithm.PS256, JWSAlgorithm.PS384, JWSAlgorithm.PS512);
    private static final Set<JWSAlgorithm> EC = Set.of(JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512);
    private static final Set<JWSAlgorithm> EDWARDS = Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519);
    private static final int MIN_RSA_BITS = 2048;

    private Algorithms() {}

    static boolean accepted(JWSAlgorithm algorithm) {
        return RSA.contains(algorithm) || EC.contains(algorithm) || EDWARDS.contains(algorithm);
    }

    /// True if a public key may verify signatures of an algorithm.
    static boolean fits(JWK key, JWSAlgorithm algorithm) {
        return isForSignatures(key) && (key.getAlgorithm() == null || key.getAlgorithm().equals(algorithm)
                || EDWARDS.contains(algorithm)) && switch (key) {
                    case RSAKey rsa -> RSA.contains(algorithm) && rsa.size() >= MIN_RSA_BITS;
                    case ECKey ec -> EC.contains(algorithm)
                            && Curve.forJWSAlgorithm(algorithm).contains(ec.getCurve());
                    case OctetKeyPair pair -> EDWARDS.contains(algorithm) && pair.getCurve().equals(Curve.Ed25519);
                    default -> false;
                };
    }

    private static boolean isForSignatures(JWK key) {
        return !key.isPrivate() && (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
    }

    /// Returns the verifier of a key that fits.
    static JWSVerifier verifier(JWK key) throws JOSEException {
        return switch (key) {
            case RSAKey rsa -> new RSASSAVerifier(rsa);
            case ECKey ec -> new ECDSAVerifier(ec);
            case OctetKeyPair pair -> new EdwardsVerifier(pair);
            default -> throw new JOSEException("no key of a public kind");
        };
    }
}
