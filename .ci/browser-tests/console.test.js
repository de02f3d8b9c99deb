// The console in Debian's Chromium, against a whole fleet: every view, actions by mouse and by keyboard, hostile texts,
// a gateway that goes and comes, two tabs, accessibility, and the screenshots of docs/console.md.
//   TOOLFLEET=… BUNDLE=… SHOTS=… node --test console.test.js
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { Caller, freePort, kill, killAll, startFleet, startGateway } from './fleet.js';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { TOOLFLEET, BUNDLE, SHOTS } = process.env;
const CALLS = Number(process.env.CALLS ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'toolfleet-browser-'));
let fleet;
let caller;
let browser;
let steps = 0;

before(async () => {
  fleet = await startFleet(TOOLFLEET, BUNDLE, folder);
  caller = new Caller(fleet.gateway);
  await caller.seed(CALLS, 40);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking'],
  });
}, { timeout: 600_000 });

after(async () => {
  await browser?.close();
  await killAll();
  rmSync(folder, { recursive: true, force: true });
});

// Opens a page that fails the test when it logs an error, violates its policy, or throws.
async function open(path, { width = 1280, height = 800, scheme = 'light', gateway = fleet.gateway, offline = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.faults = [];
  page.on('pageerror', error => page.faults.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error' && !(offline && /Failed to (load|fetch)|ERR_|htmx:sse:error/.test(message.text()))) page.faults.push(message.text());
  });
  await page.goto(gateway + path);
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

// A call in a step of its own.
async function call(name, args, wait = 0, instance = 'desk-1') {
  const step = `step-${++steps}`;
  await caller.step(instance, step);
  const id = await caller.call(instance, step, `call-${steps}`, name, args, wait);
  return { id, callId: `call-${steps}` };
}

async function waits(state, handleOf) {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const found = (await caller.get(`/v1/calls?stage=${state}&limit=50`)).calls.find(one => one.id === handleOf);
    if (found) return;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  throw new Error(`${handleOf} does not come to the state ${state}`);
}

// Presses Tab until the element has the focus, as a person without a mouse does.
async function tabTo(page, locator, most = 80) {
  for (let i = 0; i < most; i++) {
    if (await locator.evaluate(element => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the element cannot be reached with the keyboard');
}

const VIEWS = ['/console', '/console/calls', '/console/calls?state=error', '/console/approvals', '/console/tools?agent=clerk',
  '/console/tools/clerk/desk__echo', '/console/errors', '/console/dead-letters', '/console/fleet',
  '/console/policy?tool=desk__publish&agent=clerk', '/console/sessions?instance=instance-1&agent=clerk'];

async function axe(page) {
  // A page's policy forbids scripts from elsewhere; the test's own runs outside of it.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter(one => ['serious', 'critical'].includes(one.impact))
    .map(one => `${one.id}: ${one.nodes.map(node => node.target.join(' ')).slice(0, 3).join(', ')}`);
}

test('every view opens with a seeded fleet, without faults, and is accessible in light, dark and narrow', async () => {
  const { id } = await call('desk__publish', { title: 'for the list' });
  await waits('approval', id);
  const failed = (await caller.get('/v1/calls?status=error&limit=1')).calls[0].id;
  for (const path of [...VIEWS, `/console/calls/${id}`, `/console/calls/${failed}`]) {
    for (const look of [{}, { scheme: 'dark' }, { width: 390, height: 844 }]) {
      const page = await open(path, look);
      await page.waitForTimeout(300);
      assert.deepEqual(await axe(page), [], `${path} ${JSON.stringify(look)}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${path} scrolls sideways by ${wide} at ${JSON.stringify(look)}`);
      await close(page);
    }
  }
  const page = await open(`/console/calls/${id}`);
  await page.getByRole('link', { name: 'Decide about it in Approvals' }).click();
  await page.locator('li.question', { hasText: 'for the list' }).getByRole('button', { name: 'Reject' }).click();
  await page.locator('li.question', { hasText: 'for the list' }).waitFor({ state: 'detached' });
  await close(page);
});

test('the actions of an open page follow the call, and updates can be paused', async () => {
  const { id } = await call('desk__wait', { seconds: 5 });
  const page = await open(`/console/calls/${id}`);
  await page.getByRole('button', { name: 'Cancel the call' }).waitFor();
  await page.getByText('tool.call', { exact: true }).first().waitFor();
  await page.getByText('"waited" : 5').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel the call' }).count(), 0, 'an ended call cannot be cancelled');
  await close(page);
  const list = await open('/console/calls');
  await list.getByRole('button', { name: 'Pause updates' }).click();
  const paused = await call('desk__echo', { text: 'while paused' }, 20);
  await list.waitForTimeout(1_500);
  assert.equal(await list.getByRole('link', { name: paused.callId, exact: true }).count(), 0);
  await list.getByRole('button', { name: 'Go on with updates' }).click();
  await list.getByRole('link', { name: paused.callId, exact: true }).waitFor();
  await close(list);
});

test('a person approves a call by mouse and sees it run', async () => {
  const { id, callId } = await call('desk__publish', { title: 'by mouse' });
  await waits('approval', id);
  const page = await open('/console');
  await page.getByRole('link', { name: /^Wait for approval/ }).click();
  const question = page.locator('li.question', { hasText: 'by mouse' });
  await question.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(/approvals$/);
  await page.locator('li.question', { hasText: 'by mouse' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('row', { name: new RegExp(`ok.*${callId}`) }).getByRole('link').click();
  await page.getByText('"published" : "by mouse"').waitFor();
  await page.getByText('approve by console').waitFor();
  await close(page);
});

test('a person approves and rejects by keyboard alone', async () => {
  const approved = await call('desk__publish', { title: 'by keyboard' });
  const rejected = await call('desk__publish', { title: 'not this one' }, 0, 'desk-2');
  await waits('approval', approved.id);
  await waits('approval', rejected.id);
  const page = await open('/console');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.waitForURL(/approvals$/);
  await tabTo(page, page.locator('li.question', { hasText: 'by keyboard' }).getByRole('button', { name: 'Approve' }));
  await page.keyboard.press('Enter');
  await page.locator('li.question', { hasText: 'by keyboard' }).waitFor({ state: 'detached' });
  await tabTo(page, page.getByLabel('Reason'));
  await page.keyboard.type('not today');
  await tabTo(page, page.locator('li.question', { hasText: 'not this one' }).getByRole('button', { name: 'Reject' }));
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid', 'the focus is visible');
  await page.keyboard.press('Enter');
  await page.locator('li.question', { hasText: 'not this one' }).waitFor({ state: 'detached' });
  await page.goto(`${fleet.gateway}/console/calls/${rejected.id}`);
  await page.getByText('E_TOOL_APPROVAL_REJECTED').first().waitFor();
  await page.getByText('not today').first().waitFor();
  await close(page);
});

test('several calls are approved at once, and the selection survives a live update', async () => {
  const first = await call('desk__publish', { title: 'one of two' });
  const second = await call('desk__publish', { title: 'two of two' }, 0, 'desk-2');
  await waits('approval', first.id);
  await waits('approval', second.id);
  const page = await open('/console/approvals');
  await page.locator('li.question', { hasText: 'one of two' }).getByRole('checkbox').check();
  const third = await call('desk__publish', { title: 'a third' }, 0, 'desk-3');
  await page.locator('li.question', { hasText: 'a third' }).waitFor();
  assert.ok(await page.locator('li.question', { hasText: 'one of two' }).getByRole('checkbox').isChecked());
  await page.locator('li.question', { hasText: 'two of two' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Approve the selected' }).click();
  await page.getByText('✓ done').waitFor();
  assert.equal(await page.getByText(/: approved/).count() > 0, true);
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.locator('li.question', { hasText: 'a third' }).getByRole('button', { name: 'Reject' }).click();
  await page.locator('li.question', { hasText: 'a third' }).waitFor({ state: 'detached' });
  assert.ok(third.id);
  await close(page);
});

test('a call is cancelled from its page, and the page follows it to its end', async () => {
  const { id } = await call('desk__wait', { seconds: 300 });
  const page = await open(`/console/calls/${id}`);
  await page.getByLabel('Reason').first().fill('it takes too long');
  await page.getByRole('button', { name: 'Cancel the call' }).click();
  await page.getByText('E_TOOL_CANCELLED').first().waitFor({ timeout: 20_000 });
  await close(page);
  const watched = await call('desk__wait', { seconds: 4 });
  const other = await open(`/console/calls/${watched.id}`);
  await other.getByText('None yet.').waitFor();
  await other.getByText('"waited" : 4').waitFor({ timeout: 20_000 });
  await close(other);
});

test('all open calls of a list are cancelled by keyboard, after they are named', async () => {
  for (let i = 0; i < 3; i++) await call('desk__wait', { seconds: 300 }, 0, `bulk-${i}`);
  const page = await open('/console/calls?tool=desk__wait&state=open');
  await page.getByRole('row', { name: /bulk-2/ }).waitFor();
  await tabTo(page, page.getByRole('button', { name: /Cancel the open calls/ }));
  await page.keyboard.press('Enter');
  await page.getByText('3 open calls would be cancelled').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Cancel these 3 calls' }));
  await page.keyboard.press('Enter');
  await page.getByText('✓ done').waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByText('No call fits.').waitFor({ timeout: 20_000 });
  await close(page);
});

test('a dead letter is looked at, and settled after a dry run', async () => {
  const { id } = await call('desk__later', {});
  await waits('pending', id);
  let handle;
  while (!handle) handle = (await caller.get(`/v1/calls/${id}`)).waitsFor?.handle;
  // All of them find the handle open; the fleet takes the first and keeps the others as dead letters.
  await Promise.allSettled(Array.from({ length: 12 }, (_, i) => caller.send(`/v1/handles/${encodeURIComponent(handle)}/completions`,
    { kind: 'completed', output: { from: i } })));
  const page = await open('/console/dead-letters');
  for (let i = 0; i < 20 && await page.getByRole('row').count() < 2; i++) {
    await page.waitForTimeout(500);
    await page.reload();
  }
  const before = await page.getByRole('row').count();
  await page.getByRole('link', { name: /^\d+:\d+$/ }).first().click();
  await page.getByText('Record, as text').waitFor();
  await page.goBack();
  await page.getByRole('checkbox', { name: /^Select \d/ }).first().check();
  await page.getByRole('button', { name: 'Send the selected again…' }).click();
  await page.getByText('Nothing has been changed yet').waitFor();
  await page.goto(`${fleet.gateway}/console/dead-letters`);
  await page.getByRole('checkbox', { name: /^Select \d/ }).first().check();
  await page.getByRole('button', { name: 'Settle the selected…' }).click();
  await page.getByLabel('Reason, for auditors').fill('seen');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await page.getByText('✓ done').waitFor();
  await page.goto(`${fleet.gateway}/console/dead-letters`);
  assert.ok(await page.getByRole('row').count() < before, 'the settled letter is gone from the list');
  await close(page);
});

test('a tool is tried, switched off and switched on', async () => {
  const page = await open('/console/tools/clerk/desk__echo');
  await page.getByLabel('text').fill('tried by hand');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByText('"text" : "tried by hand"').first().waitFor();
  await page.goto(`${fleet.gateway}/console/tools/clerk/desk__fail`);
  await page.getByLabel('Reason').fill('the printer burns');
  await page.getByRole('button', { name: 'Switch off for everybody' }).click();
  await page.getByText('✓ done').waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByText('the printer burns').waitFor();
  await page.getByRole('button', { name: 'Switch on desk__fail' }).click();
  await page.getByText('✓ done').waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  assert.equal(await page.getByText('the printer burns').count(), 0);
  await close(page);
});

test('hostile texts are shown as text', async () => {
  for (const [kind, shown] of [['script', '<script>document.title'], ['attribute', '<img src=x onerror=']]) {
    const { id } = await call('desk__hostile', { kind }, 20);
    const page = await open(`/console/calls/${id}`);
    await page.locator('pre', { hasText: shown }).waitFor();
    assert.equal(await page.evaluate(() => window.taken), undefined);
    assert.match(await page.title(), /Toolfleet$/);
    await close(page);
  }
  // The result guard escapes such marks in results; arguments come as the model wrote them.
  const marks = await call('desk__echo', { text: 'invoice\u202Efdp.exe \u200Bend' }, 20);
  const shown = await open(`/console/calls/${marks.id}`);
  await shown.locator('pre', { hasText: 'invoice⟨U+202E⟩fdp.exe ⟨U+200B⟩end' }).waitFor();
  await close(shown);
  const { id } = await call('desk__hostile', { kind: 'line' }, 20);
  const page = await open(`/console/calls/${id}`, { width: 390 });
  await page.getByText(/more characters are not shown/).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, 'a long line does not widen the page');
  await page.getByRole('link', { name: 'Show all as text' }).click();
  const whole = JSON.stringify((await caller.get(`/v1/calls/${id}`)).result.output, null, 2);
  assert.ok(whole.length > 20_000, 'the result guard leaves more than a page shows');
  assert.equal((await page.locator('pre').textContent()).length >= whole.length, true, 'the whole text is there');
  await close(page);
});

test('two tabs show the same, and one follows what the other does', async () => {
  const { id } = await call('desk__publish', { title: 'in two tabs' });
  await waits('approval', id);
  const one = await open(`/console/calls/${id}`);
  const two = await open('/console/approvals');
  await two.locator('li.question', { hasText: 'in two tabs' }).getByRole('button', { name: 'Approve' }).click();
  await one.getByText('"published" : "in two tabs"').waitFor({ timeout: 20_000 });
  await close(one);
  await close(two);
});

test('an open page survives a restart of its gateway', async () => {
  const [port, internal] = [await freePort(), await freePort()];
  let gateway = await startGateway(TOOLFLEET, fleet.broker, port, internal, folder);
  const page = await open('/console/calls', { gateway: `http://127.0.0.1:${port}`, offline: true });
  const before = await call('desk__echo', { text: 'before' });
  await page.getByRole('link', { name: before.callId, exact: true }).waitFor({ timeout: 20_000 });
  await kill(gateway, 'SIGKILL');
  const meanwhile = await call('desk__echo', { text: 'meanwhile' });
  gateway = await startGateway(TOOLFLEET, fleet.broker, port, internal, folder);
  await page.getByRole('link', { name: meanwhile.callId, exact: true }).waitFor({ timeout: 90_000 });
  await close(page);
  await kill(gateway);
});

test('live updates do not shift the page', async () => {
  const page = await open('/console/calls');
  await page.evaluate(() => {
    window.shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => {
      if (!entry.hadRecentInput) window.shift += entry.value;
    })).observe({ type: 'layout-shift', buffered: false });
  });
  const { callId } = await call('desk__echo', { text: 'a new row' });
  await page.getByRole('link', { name: callId, exact: true }).waitFor();
  await page.waitForTimeout(600);
  const shift = await page.evaluate(() => window.shift);
  assert.ok(shift < 0.1, `cumulative layout shift is ${shift}`);
  await close(page);
});

test('a page follows the fleet although one of its scripts comes late', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await context.route(/hx-sse/, async route => {
    await new Promise(resolve => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.goto(`${fleet.gateway}/console/calls`);
  const { callId } = await call('desk__echo', { text: 'another new row' });
  await page.getByRole('link', { name: callId, exact: true }).waitFor();
  await context.close();
});

test('vendored scripts are those of their packages', () => {
  const at = process.env.ASSETS;
  for (const [own, theirs] of [['htmx-4.0.1.min.js', 'htmx.org/dist/htmx.min.js'], ['hx-sse-4.0.1.min.js', 'htmx.org/dist/ext/hx-sse.min.js'],
    ['uplot-1.6.32.min.js', 'uplot/dist/uPlot.iife.min.js'], ['uplot-1.6.32.min.css', 'uplot/dist/uPlot.min.css']]) {
    assert.ok(readFileSync(join(at, own)).equals(readFileSync(join('node_modules', theirs))), own);
  }
});

test('screenshots', async () => {
  const approval = await call('desk__publish', { title: 'Release notes 2.4' }, 0, 'desk-7');
  await waits('approval', approval.id);
  await call('desk__later', {}, 0, 'desk-8');
  const done = await call('desk__wait', { seconds: 1 }, 20, 'desk-9');
  const shots = [['now', '/console', {}], ['now-dark', '/console', { scheme: 'dark' }], ['calls', '/console/calls', {}],
    ['calls-narrow', '/console/calls', { width: 390, height: 844 }], ['call', `/console/calls/${done.id}`, {}],
    ['call-dark', `/console/calls/${done.id}`, { scheme: 'dark' }],
    ['approvals', '/console/approvals', {}], ['approvals-narrow', '/console/approvals', { width: 390, height: 844 }],
    ['tools', '/console/tools?agent=clerk', {}], ['errors', '/console/errors', {}], ['dead-letters', '/console/dead-letters', {}],
    ['fleet', '/console/fleet', {}], ['policy', '/console/policy?tool=desk__publish&agent=clerk', {}],
    ['sessions', '/console/sessions?instance=desk-9&agent=clerk', {}]];
  for (const [name, path, look] of shots) {
    const page = await open(path, look);
    await page.waitForTimeout(path === '/console/fleet' ? 6_000 : 1_200);
    await page.screenshot({ path: join(SHOTS, `${name}.png`) });
    await close(page);
  }
});
