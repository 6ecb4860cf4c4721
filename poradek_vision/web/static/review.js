// Keys, taps and drags become acts; the server does them, and the page shows what it then says. No points are counted here.
"use strict";

const page = document.body;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const tab = sessionStorage.tab ??= Math.random().toString(36).slice(2);
let version = page.dataset.version;
let dragging = false;

// --- saying and following ---------------------------------------------------------------------------------------

async function act(what) {
  let answer;
  try {
    answer = await fetch("/act", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ tab, ...what }),
    });
  } catch {
    tell(page.dataset.lost, true);
    return false;
  }
  if (answer.status !== 200 && answer.status !== 409) {
    tell(page.dataset.failed, true);
    return false;
  }
  let told, done;
  try {
    ({ told, done } = await answer.json());
    sessionStorage.told = told; // for the page that comes if this one is made anew
    if (await refresh()) sessionStorage.removeItem("told");
  } catch {
    tell(page.dataset.lost, true); // what was told before that is saved all the same
    return done ?? false;
  }
  tell(told, !done);
  return done;
}

let silence;
function tell(words, bad = false) {
  const told = $("#told");
  told.textContent = words;
  told.className = bad ? "on bad" : "on";
  clearTimeout(silence);
  if (!bad) silence = setTimeout(() => (told.className = ""), 4000);
}

// The page is fetched again and the parts that are alive are put in the place of the old ones; false: it is made anew.
async function refresh() {
  const answer = await fetch(location.pathname + location.search);
  if (!answer.ok) return true;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  version = fresh.body.dataset.version;
  const focused = document.activeElement?.id;
  const changesShape = $$("[data-live]").length !== $$("[data-live]", fresh).length;
  if (changesShape) {
    anew = true;
    if (!dragging) location.reload();
    return false;
  }
  if (dragging) return true;
  park();
  for (const old of $$("[data-live]")) {
    const now = fresh.getElementById(old.id);
    if (now && now.outerHTML !== old.outerHTML) old.replaceWith(document.importNode(now, true));
  }
  arrange();
  if (focused && document.activeElement === page) document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}

async function watch() {
  if (document.hidden || dragging) return;
  try {
    const answer = await fetch("/version");
    if (!answer.ok) return;
    const now = String((await answer.json()).version);
    if (now !== version && !dragging) await refresh();
    if ($("#told").textContent === page.dataset.lost) $("#told").className = "";
  } catch {
    tell(page.dataset.lost, true);
  }
}
setInterval(watch, 1000);

// --- choosing a cell --------------------------------------------------------------------------------------------

const pad = $("#pad");
const queue = () => $$(".queue .doubt");
let chosen = null; // of the queue: its id; of a board: "row-col"
let position = 0;

const onBoard = () => $("#flat");
const cellAt = (row, col) => document.getElementById(`c-${row}-${col}`);
const current = () => chosen && document.getElementById(chosen);

function park() {
  if (pad && $("#rest")) $("#rest").append(pad);
}

function choose(element, { focus = true, scroll = true } = {}) {
  $$("[aria-selected=true]").forEach((one) => one.setAttribute("aria-selected", "false"));
  $$(".chosen").forEach((one) => one.classList.remove("chosen"));
  chosen = element?.id ?? null;
  if (!element) return;
  $$(".owners", pad).forEach((row) => (row.hidden = !("land" in element.dataset)));
  if (onBoard()) {
    const { row, col } = element.dataset;
    $$(`[data-cell][data-row="${row}"][data-col="${col}"]`).forEach((one) => one.classList.add("chosen"));
    $("#cell-words").textContent = element.dataset.words;
    point(stripsOf(row, col));
  } else {
    element.setAttribute("aria-selected", "true");
    $(".slot", element).append(pad);
    position = queue().indexOf(element);
    if (focus) element.focus({ preventScroll: true });
    if (scroll) element.scrollIntoView({ block: "nearest" });
  }
}

// After every change: the same cell stays chosen; of a queue that it has left, the one that took its place.
function arrange() {
  if (page.classList.contains("cornering")) cornering(true);
  if (!pad) return;
  if (onBoard()) {
    if (current()) choose(current());
  } else {
    const all = queue();
    choose(current() ?? all[Math.min(position, all.length - 1)], { focus: document.activeElement === page });
  }
}

function move(down, right) {
  if (onBoard()) {
    const { row, col } = current()?.dataset ?? { row: 0, col: 0 };
    const next = current() ? cellAt(+row + down, +col + right) : cellAt(0, 0);
    if (next) choose(next);
  } else {
    const all = queue();
    const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(current()) + (down || right)))];
    if (next) choose(next);
  }
}

async function press(button) {
  const what = { do: button.dataset.do };
  if ("value" in button.dataset) what.value = button.dataset.value;
  const about = button.closest(".board-tools") ?? current();
  if (what.do !== "undo") {
    if (!about) return tell($("#cell-words")?.textContent ?? "", true);
    what.photo = about.dataset.photo;
    what.board = +about.dataset.board;
    if ("row" in about.dataset) Object.assign(what, { row: +about.dataset.row, col: +about.dataset.col });
  }
  if (what.do === "found" || what.do === "undo") {
    sessionStorage.removeItem("corners");
    busy(true);
  }
  await act(what);
  busy(false);
  (onBoard() && !button.closest(".board-tools") ? onBoard() : current())?.focus({ preventScroll: true });
}

function busy(on) {
  page.classList.toggle("busy", on);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) return press(button);
  if (event.target.closest("a, button, select, textarea, summary, label")) return;
  const strip = event.target.closest(".strips [data-cells]");
  if (strip) return light(strip);
  const cell = event.target.closest("[data-cell]");
  if (!cell) return;
  choose(onBoard() ? cellAt(cell.dataset.row, cell.dataset.col) : cell, { scroll: !onBoard() });
  onBoard()?.focus({ preventScroll: true });
});

document.addEventListener("change", (event) => {
  const select = event.target.closest("select[data-do]");
  if (select) {
    const { photo, board } = select.closest("[data-photo]").dataset;
    act({ do: select.dataset.do, photo, board: +board, value: select.value });
  }
  if (event.target.id === "size" && page.classList.contains("cornering")) sendCorners();
});

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, input, select") || (event.target.closest(".handle") && ARROWS[event.key])) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    if (pad) press($('[data-do="undo"]', pad));
    return;
  }
  if (event.key === "Escape" && $("#photo")) {
    if (page.classList.contains("cornering") && $("#corners")) cornering(false);
    else location.assign("/");
  }
  if (!pad || event.ctrlKey || event.altKey || event.metaKey) return;
  if (ARROWS[event.key]) {
    if (event.target.closest(".strips")) return;
    event.preventDefault();
    return move(...ARROWS[event.key]);
  }
  if (event.key === "Enter" && event.target.closest("a, button, summary, .strips")) return;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]; // also where digits need Shift, as on Czech keyboards
  const key = digit ?? (event.key === "Enter" ? "Enter" : event.key.toLowerCase());
  const button = $$("[data-key]", pad).find((one) => one.dataset.key === key && !one.closest("[hidden]"));
  if (!button || !current()) return;
  event.preventDefault();
  if (!event.repeat) press(button);
});

// --- runs -------------------------------------------------------------------------------------------------------

const stripsOf = (row, col) => $$("#strips [data-cells]").filter((one) => one.dataset.cells.split(" ").includes(`${row}-${col}`));

function light(strip) {
  point([strip]);
  for (const place of strip.dataset.cells.split(" ")) {
    const [row, col] = place.split("-");
    $$(`[data-cell][data-row="${row}"][data-col="${col}"]`).forEach((one) => one.classList.add("lit"));
  }
}

function point(strips) {
  $$(".lit").forEach((one) => one.classList.remove("lit"));
  strips.forEach((strip) => strip.classList.add("lit"));
  $("#cell-strips")?.replaceChildren(...strips.map((strip) => Object.assign(strip.cloneNode(true), { tabIndex: -1 })));
}

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const strip = event.target.closest?.(".strips [data-cells]");
    const cell = event.target.closest?.("#flat [data-cell], #photo [data-cell]");
    if (strip) light(strip);
    else if (cell) point(stripsOf(cell.dataset.row, cell.dataset.col));
  });
}

// --- corners ----------------------------------------------------------------------------------------------------

// What was dragged is kept over the page being made anew, which happens when a board is read for the first time.
let corners = [];
let later;
let anew = false; // a new page waits for the end of a drag

const kept = () => JSON.parse(sessionStorage.corners || "{}");
const keep = (unsent) => (sessionStorage.corners = JSON.stringify({ path: location.pathname, corners, unsent }));

function cornering(on) {
  const photo = $("#photo");
  if (!photo) return;
  page.classList.toggle("cornering", on);
  $("#corners")?.setAttribute("aria-pressed", String(on));
  photo.setAttribute("viewBox", on ? photo.dataset.whole : photo.dataset.near);
  if (!on) return void sessionStorage.removeItem("corners");
  const numbers = $("#quad").dataset.corners.split(" ").map(Number);
  const said = [0, 1, 2, 3].map((k) => [numbers[2 * k], numbers[2 * k + 1]]);
  corners = kept().path === location.pathname ? kept().corners : said;
  keep(kept().unsent ?? false);
  drawCorners();
}

function drawCorners() {
  const photo = $("#photo");
  const [, , width, height] = photo.dataset.whole.split(" ").map(Number);
  const shown = photo.getBoundingClientRect();
  const scale = Math.max(width / shown.width, height / shown.height); // file pixels per pixel of the screen
  $(".quad").setAttribute("points", corners.map((point) => point.join()).join(" "));
  $$(".handle").forEach((handle, k) => {
    handle.setAttribute("transform", `translate(${corners[k]}) scale(${scale})`);
    $(".reach", handle).setAttribute("r", 26);
    $(".dot", handle).setAttribute("r", 11);
    $("text", handle).setAttribute("font-size", 14);
  });
}

// Whether the corners shown are somebody's word or were found: not those that lie in the middle of a photo without a board.
function cornersMeant() {
  const { corners: shown } = $("#quad").dataset;
  return !$("#photo").matches("[data-new]:not([data-said])") || corners.flat().some((n, k) => n !== +shown.split(" ")[k]);
}

function sendCorners(wait = 0) {
  if (!cornersMeant()) return;
  clearTimeout(later);
  keep(true);
  later = setTimeout(async () => {
    const { photo, board } = $("#photo").dataset;
    busy(true);
    tell(page.dataset.busy);
    keep(false);
    await act({ do: "corners", photo, board: +board, value: corners.flat(), size: +$("#size").value });
    busy(false);
  }, wait);
}

function place(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform($("#photo").getScreenCTM().inverse());
  return [Math.round(point.x * 10) / 10, Math.round(point.y * 10) / 10];
}

document.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest?.(".handle");
  if (!handle) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  const k = $$(".handle").indexOf(handle);
  dragging = true;
  clearTimeout(later);
  const drag = (moved) => {
    corners[k] = place(moved);
    drawCorners();
  };
  const drop = () => {
    document.removeEventListener("pointermove", drag);
    document.removeEventListener("pointerup", drop);
    document.removeEventListener("pointercancel", drop);
    dragging = false;
    keep(true);
    if (anew) location.reload();
    else sendCorners(250);
  };
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
});

document.addEventListener("keydown", (event) => {
  const handle = event.target.closest?.(".handle");
  if (!handle || !ARROWS[event.key]) return;
  event.preventDefault();
  const [down, right] = ARROWS[event.key];
  const [, , width, height] = $("#photo").dataset.whole.split(" ").map(Number);
  const step = Math.max(width, height) * (event.shiftKey ? 0.02 : 0.003);
  const k = $$(".handle").indexOf(handle);
  corners[k] = [corners[k][0] + right * step, corners[k][1] + down * step];
  drawCorners();
  sendCorners(700);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#corners")) cornering(!page.classList.contains("cornering"));
});
addEventListener("resize", () => page.classList.contains("cornering") && drawCorners());

// --- a typed board ----------------------------------------------------------------------------------------------

const typed = $("#typed");
if (typed) {
  const send = async (value) => {
    const { team, size } = typed.dataset;
    if (await act({ do: "typed", team, size: +size, value })) location.assign("/");
  };
  typed.addEventListener("submit", (event) => {
    event.preventDefault();
    send($("#rows").value);
  });
  $("#untyped")?.addEventListener("click", () => send(""));
}

// --- pictures that are gone -------------------------------------------------------------------------------------

const show = (picture, there) => (picture.style.visibility = there ? "" : "hidden"); // else a torn page is drawn
for (const kind of ["load", "error"]) {
  document.addEventListener(kind, ({ target }) => target.matches?.("img") && show(target, kind === "load"), true);
}
$$("img").filter((one) => one.complete && !one.naturalWidth).forEach((one) => show(one, false));

// --- the start --------------------------------------------------------------------------------------------------

if ($("#photo")?.matches("[data-new]") || kept().path === location.pathname) cornering(true);
if (kept().unsent && page.classList.contains("cornering")) sendCorners();
if (onBoard()) choose(document.getElementById(location.hash.replace("#cell-", "c-")) ?? $("#flat .open") ?? null);
else if (pad) choose(queue()[0] ?? null, { scroll: false });
if (sessionStorage.told) tell(sessionStorage.told);
sessionStorage.removeItem("told");
