// What pages do beyond HTML: relative times, charts, keys, copying. Pages work without it.
(() => {
  "use strict";
  const UNITS = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];

  function span(seconds) {
    for (const [size, unit] of UNITS) {
      if (seconds >= size) return Math.floor(seconds / size) + " " + unit;
    }
    return "0 s";
  }

  function relative(time) {
    const seconds = (Date.now() - Date.parse(time.dateTime)) / 1000;
    if (Number.isNaN(seconds)) return;
    const text = time.classList.contains("since") ? span(Math.max(0, seconds)) + " so far"
      : seconds >= 0 ? span(seconds) + " ago" : "in " + span(-seconds);
    if (time.textContent !== text) time.textContent = text;
  }

  function times() {
    document.querySelectorAll("time[datetime]").forEach(relative);
  }

  const charts = new Map();

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const probe = document.createElement("span");
    document.body.append(probe);
    const of = name => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    const found = {text: of("--muted"), line: of("--line"), series: ["--run", "--ok", "--bad"].map(of), font: style.fontFamily};
    probe.remove();
    return found;
  }

  function draw(element) {
    const data = JSON.parse(element.dataset.chart);
    const known = charts.get(element.id);
    if (known && known.element === element) {
      if (known.json !== element.dataset.chart) {
        known.json = element.dataset.chart;
        known.plot.setData(data);
      }
      return;
    }
    known?.plot.destroy();
    const colour = colours();
    const bars = element.dataset.kind === "bars";
    const time = element.dataset.x === "time";
    const utc = seconds => new Date(seconds * 1000).toISOString().slice(11, 16);
    const axis = {stroke: colour.text, grid: {stroke: colour.line, width: 1}, ticks: {stroke: colour.line, width: 1}, font: "12px system-ui"};
    const dashes = [[], [6, 3], [2, 3]];
    element.replaceChildren();
    const plot = new uPlot({
      width: element.clientWidth, height: element.clientHeight - 32,
      scales: {x: {time}, y: {range: (_, low, high) => [0, Math.max(1, high * 1.05)]}},
      axes: [{...axis, ...(time ? {values: (_, splits) => splits.map(utc)} : {incrs: [1, 2, 5, 10, 20, 50, 100]})}, {...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000]}],
      series: [time ? {label: "UTC", value: (_, at) => at == null ? "–" : utc(at)} : {label: "partition"}, ...element.dataset.series.split(",").map((label, i) => ({
        label, stroke: colour.series[i], width: 2, dash: dashes[i],
        ...(bars ? {paths: uPlot.paths.bars({size: [0.6, 40]}), fill: colour.series[i]} : {}), points: {show: false}}))],
      cursor: {drag: {x: false, y: false}},
    }, data, element);
    charts.set(element.id, {element, plot, json: element.dataset.chart});
  }

  function drawAll() {
    if (typeof uPlot === "undefined") return;
    document.querySelectorAll("[data-chart]").forEach(draw);
  }

  function refresh() {
    times();
    drawAll();
  }

  function redraw() {
    charts.forEach(chart => chart.plot.destroy());
    charts.clear();
    drawAll();
  }

  let waits = 0;
  addEventListener("resize", () => {
    clearTimeout(waits);
    waits = setTimeout(redraw, 150);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  document.addEventListener("htmx:after:swap", refresh);
  document.addEventListener("htmx:sse:after:message", refresh);
  document.addEventListener("visibilitychange", times);

  function say(text) {
    const region = document.getElementById("announce");
    if (region) region.textContent = text;
  }

  document.addEventListener("click", event => {
    const copy = event.target.closest("[data-copy]");
    if (!copy) return;
    navigator.clipboard.writeText(copy.dataset.copy).then(() => {
      copy.textContent = "Copied";
      say("Copied");
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
  });

  document.addEventListener("change", event => {
    const all = event.target.closest("[data-all]");
    if (!all) return;
    document.querySelectorAll(`input[type=checkbox][name="${all.dataset.all}"]`).forEach(box => { box.checked = all.checked; });
  });

  // A form that was sent once is not sent again by a second click.
  document.addEventListener("submit", event => {
    if (event.target.method !== "post") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "true";
  });
  addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach(form => delete form.dataset.sent));

  // Live parts: a person may stop them; one that has lost its session loads the page again, which leads to the sign-in.
  const live = document.querySelector("[hx-sse\\:connect]");
  const pause = document.getElementById("pause");
  let paused = false;
  let missed = null;
  if (live && pause) {
    pause.hidden = false;
    live.addEventListener("htmx:sse:before:message", event => {
      if (!paused || event.detail.message.event) return;
      missed = true;
      event.preventDefault();
    });
    pause.addEventListener("click", () => {
      paused = !paused;
      pause.setAttribute("aria-pressed", String(paused));
      pause.textContent = paused ? "Go on with updates" : "Pause updates";
      if (!paused && missed) location.reload();
    });
    live.addEventListener("signed-out", () => location.reload());
    live.addEventListener("later", event => say("Updates pause: " + event.detail.data));
    live.addEventListener("over", () => { pause.hidden = true; });
  }

  const keys = document.getElementById("keys");
  let keysOn = localStorage.getItem("toolfleet-keys") !== "off";
  function showKeys() {
    if (!keys) return;
    keys.textContent = keysOn ? "Keys on" : "Keys off";
    keys.setAttribute("aria-pressed", String(keysOn));
  }
  keys?.addEventListener("click", () => {
    keysOn = !keysOn;
    localStorage.setItem("toolfleet-keys", keysOn ? "on" : "off");
    showKeys();
  });
  showKeys();

  let leader = 0;
  document.addEventListener("keydown", event => {
    if (!keysOn || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "/") {
      const field = document.querySelector("[data-focus]");
      if (field) {
        field.focus();
        event.preventDefault();
      }
    } else if (event.key === "j" || event.key === "k") {
      const rows = [...document.querySelectorAll("a.row")];
      const at = rows.indexOf(document.activeElement);
      const next = rows[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
      next?.focus();
    } else if (event.key === "g") {
      leader = Date.now();
    } else if (Date.now() - leader < 1500) {
      leader = 0;
      document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)?.click();
    }
  });

  refresh();
  setInterval(times, 1000);
})();
