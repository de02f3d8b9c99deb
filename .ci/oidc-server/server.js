// Authorization server on loopback, with signing keys of its own: a client by name and secret gets JWTs for one resource.
// Usage: node server.js PORT AUDIENCE ALGORITHM   (0 for a free port; prints "issuer URL" once it listens)
import { createServer } from "node:http";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Provider } from "oidc-provider";

const [port, audience, algorithm] = process.argv.slice(2);

function signingKey() {
  const { privateKey } = algorithm === "ES256"
    ? generateKeyPairSync("ec", { namedCurve: "P-256" })
    : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: algorithm };
}

const server = createServer();
server.listen(Number(port), "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "robot",
      client_secret: "robot-secret",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: algorithm,
    }],
    jwks: { keys: [signingKey()] },
    scopes: ["tools:call", "tools:list", "fleet:read"],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: "tools:call tools:list fleet:read",
          audience: resource,
          accessTokenTTL: 300,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: algorithm } },
        }),
        defaultResource: () => audience,
      },
    },
  });
  server.on("request", provider.callback());
  console.log(`issuer ${issuer}`);
});
