// Measures the console with many calls in the read model: node measure.js CALLS
// Prints the 50th and 95th percentile of page times over HTTP, and the processor time that an idle open page costs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { Caller, freePort, killAll, startFleet, startGateway } from './fleet.js';

const { TOOLFLEET, BUNDLE } = process.env;
const calls = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'toolfleet-measure-'));
const TICK = 10; // milliseconds of a clock tick of /proc

// Processor time of a process and its children so far, in milliseconds.
function processor(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

// The Java of a launcher.
function java(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.length ? java(Number(children[0])) : pid;
}

async function times(name, url, count) {
  const all = [];
  for (let i = 0; i < count + 20; i++) {
    const began = performance.now();
    const response = await fetch(url(i));
    await response.text();
    if (!response.ok) throw new Error(`${url(i)} answered ${response.status}`);
    if (i >= 20) all.push(performance.now() - began);
  }
  all.sort((a, b) => a - b);
  const at = share => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(1).padStart(7);
  console.log(`${name.padEnd(44)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms`);
}

try {
  const fleet = await startFleet(TOOLFLEET, BUNDLE, folder);
  const [port, internal] = [await freePort(), await freePort()];
  const gateway = await startGateway(TOOLFLEET, fleet.broker, port, internal, folder);
  const base = `http://127.0.0.1:${port}`;
  const began = Date.now();
  await new Caller(fleet.gateway).seed(calls, 200);
  console.log(`${calls} calls in ${Math.round((Date.now() - began) / 1000)} s, two gateways\n`);
  const known = (await new Caller(base).get('/v1/calls?limit=200')).calls.map(one => one.id);
  await times('Calls', () => `${base}/console/calls`, 200);
  await times('Calls, errors only', () => `${base}/console/calls?state=error`, 200);
  await times('Calls of one instance', i => `${base}/console/calls?instance=instance-${i % 200}`, 200);
  await times('Calls, open only', () => `${base}/console/calls?state=open`, 200);
  await times('Calls, a user that has none', () => `${base}/console/calls?user=nemo`, 100);
  await times('A call', i => `${base}/console/calls/${known[i % known.length]}`, 200);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking'] });
  const pid = java(gateway.pid);
  const idle = async () => {
    const [cpu, clock] = [processor(pid), performance.now()];
    await pause(60_000);
    return 100 * (processor(pid) - cpu) / (performance.now() - clock);
  };
  const alone = await idle();
  for (const path of ['/console', '/console/calls']) {
    const pages = [];
    for (let i = 0; i < 5; i++) {
      pages.push(await browser.newPage());
      await pages[i].goto(base + path);
      await pages[i].evaluate(() => Object.defineProperty(document, 'hidden', { value: false }));
    }
    await pause(5_000);
    const open = await idle();
    console.log(`an idle page ${path}`.padEnd(44) + ` ${((open - alone) / pages.length).toFixed(2)} % of a processor (5 pages: ${open.toFixed(1)} %, none: ${alone.toFixed(1)} %)`);
    for (const page of pages) await page.close();
  }
  await browser.close();
} finally {
  await killAll();
  rmSync(folder, { recursive: true, force: true });
}
