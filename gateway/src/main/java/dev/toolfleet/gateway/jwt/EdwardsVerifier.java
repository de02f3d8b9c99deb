package dev.toolfleet.gateway.jwt;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Set;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;

/// Verifier of Ed25519 signatures (RFC 8037) by the JDK; the library's own needs a further one.
final class EdwardsVerifier implements JWSVerifier {
    private static final String CURVE = "Ed25519";
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;

    private final PublicKey key;
    private final JCAContext context = new JCAContext();

    EdwardsVerifier(OctetKeyPair pair) throws JOSEException {
        byte[] x = pair.getDecodedX();
        if (x.length != KEY_BYTES)
            throw new JOSEException("a key of Ed25519 has " + KEY_BYTES + " bytes");
        boolean odd = (x[KEY_BYTES - 1] & 0x80) != 0;
        x[KEY_BYTES - 1] &= 0x7f;
        byte[] y = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++)
            y[i] = x[KEY_BYTES - 1 - i];
        try {
            key = KeyFactory.getInstance(CURVE).generatePublic(
                    new EdECPublicKeySpec(NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, y))));
        } catch (GeneralSecurityException e) {
            throw new JOSEException("no key of Ed25519", e);
        }
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signingInput, Base64URL signature) throws JOSEException {
        byte[] bytes = signature.decode();
        if (bytes.length != SIGNATURE_BYTES)
            return false;
        try {
            Signature verifier = Signature.getInstance(CURVE);
            verifier.initVerify(key);
            verifier.update(signingInput);
            return verifier.verify(bytes);
        } catch (SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new JOSEException("the signature cannot be checked", e);
        }
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519);
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }
}
