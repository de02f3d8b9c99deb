const sleep = millis => new Promise(resolve => setTimeout(resolve, millis));

async function work(ctx, { number, millis, text }) {
  if (millis > 0)
    await sleep(millis);
  return { number, text };
}

export const handlers = { put: work, append: work, label: work };
