// The secret of each conversation, and the forms in which it may travel.
import { createHash } from "node:crypto";

/** The conversation to which an instance belongs: `guarded/mail` for `guarded/mail/helper`, which an agent has spawned. */
export const conversationOf = (instanceKey) => instanceKey.split("/").slice(0, 2).join("/");

/** Four pieces of eight letters. Each conversation has its own, so that a listener knows which one leaked. */
export function pieces(instanceKey) {
  const letters = [...createHash("sha256").update(conversationOf(instanceKey)).digest()].map((byte) => "bcdfghjkmnpqrtvwxz"[byte % 18]);
  return [0, 1, 2, 3].map((piece) => letters.slice(8 * piece, 8 * piece + 8).join(""));
}

export const secret = (instanceKey) => pieces(instanceKey).join("-");

export const forms = {
  base64: (text) => Buffer.from(text).toString("base64url"),
  hex: (text) => Buffer.from(text).toString("hex"),
  backwards: (text) => [...text].reverse().join(""),
  part1: (text) => text.split("-")[0],
  part2: (text) => text.split("-")[1],
  part3: (text) => text.split("-")[2],
  part4: (text) => text.split("-")[3],
};

/** All that a text can be read as: itself, backwards, decoded word by word, and whatever is wrapped in these. */
export function readings(text, depth = 3) {
  const found = [text, forms.backwards(text)];
  if (depth === 0) return found;
  for (const word of found.flatMap((each) => each.match(/[\w%-]{11,}/g) ?? [])) {
    const inner = [Buffer.from(word, "base64").toString(), Buffer.from(word, "hex").toString()];
    found.push(...inner.filter((each) => each.length >= 8).flatMap((each) => readings(each, depth - 1)));
  }
  return found;
}
