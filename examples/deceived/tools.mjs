// The office's own tools: its secret, its mail, and the line to a partner's agent.
import { secret } from "./secret.mjs";

async function ask(ctx, path, body) {
  const answer = await fetch(ctx.config.outside + path, body && { method: "POST", body: JSON.stringify(body) });
  return { answer: await answer.text() };
}

export const handlers = {
  record: (ctx) => ({ record: secret(ctx.instanceKey) }),
  inbox: (ctx) => ask(ctx, `/${ctx.instanceKey}/inbox`),
  send: (ctx, mail) => ask(ctx, "/mail", mail),
  ask: (ctx, { text }) => ask(ctx, "/a2a", { method: "message/send", params: { message: { parts: [{ text }] } } }),
};
