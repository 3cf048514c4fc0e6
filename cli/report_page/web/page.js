// The page of a run: where the reader is, and what that place looks like. All facts come from the
// simulator (the JSON above); this only shows them. Only the rows in sight are drawn, so that a run
// of thousands of events stays smooth.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const S = data.strings;
const ROW = 34;
const EDGE = { sentence: 0, clause: 1, target: 2, kind: 3, actors: 4, link: 5, sent: 6, lost: 7,
               notes: 8 };
const at = (id) => document.getElementById(id);

// --- the path: the run, or its beginning and then a branch

const here = { path: [], arrows: [], position: 0, prefix: data.run.length, branch: [] };

function edgeOf(state, number) { return data.states[state].edges[number]; }

function buildPath(prefix, branch) {
  const path = [];
  let state = 0;
  for (const number of data.run.slice(0, prefix).concat(branch)) {
    const edge = edgeOf(state, number);
    if (!edge || edge[EDGE.target] < 0) break;
    path.push({ from: state, number, edge, to: edge[EDGE.target] });
    state = edge[EDGE.target];
  }
  here.path = path;
  here.prefix = Math.min(prefix, path.length);
  here.branch = branch.slice(0, path.length - here.prefix);
  here.arrows = arrowsOf(path);
}

function onBranch() { return here.prefix < data.run.length || here.branch.length > 0; }
function stateAt(position) { return position === 0 ? 0 : here.path[position - 1].to; }

// Each message from the event that sent it to the one that delivered it (or lost it). Links are
// first in, first out, so a queue for each link is all it takes.
function arrowsOf(path) {
  const queues = data.links.map(() => []);
  const arrows = [];
  path.forEach(({ edge }, i) => {
    const row = i + 1;
    if (edge[EDGE.link] >= 0 && edge[EDGE.kind] === "message") {
      const sent = queues[edge[EDGE.link]].shift();
      arrows.push({ link: edge[EDGE.link], sent: sent === undefined ? row : sent, end: row,
                    fate: "message" });
    }
    for (const link of edge[EDGE.lost]) {
      for (const sent of queues[link]) arrows.push({ link, sent, end: row, fate: "lost" });
      queues[link] = [];
    }
    for (const link of edge[EDGE.sent]) queues[link].push(row);
  });
  queues.forEach((queue, link) => {
    for (const sent of queue) arrows.push({ link, sent, end: path.length + 1, fate: "flying" });
  });
  return arrows;
}

// --- beliefs

const factCache = new Map();
// "A: owner of 7: B" -> who A, subject "owner of 7", value "B".
function factOf(number) {
  let fact = factCache.get(number);
  if (fact) return fact;
  const line = S[number];
  const colon = line.indexOf(": ");
  const who = line.slice(0, colon);
  const rest = line.slice(colon + 2);
  const inner = rest.indexOf(": ");
  const blank = rest.lastIndexOf(" ");
  if (/^(down|down for good|paused)$/.test(rest)) fact = { who, subject: "", value: rest };
  else if (rest.endsWith(" it")) fact = { who, subject: rest, value: "yes" };
  else if (inner >= 0) fact = { who, subject: rest.slice(0, inner), value: rest.slice(inner + 2) };
  else if (blank >= 0) fact = { who, subject: rest.slice(0, blank), value: rest.slice(blank + 1) };
  else fact = { who, subject: rest, value: "yes" };
  fact.line = rest;
  // In the table a node's own config epoch stands where others have what they believe of it.
  if (fact.subject === "config epoch") fact.subject = `config epoch of ${who}`;
  factCache.set(number, fact);
  return fact;
}

const viewCache = new Map();
// By actor: its status, whether it acts no more, and its facts by subject.
function viewOf(state) {
  let view = viewCache.get(state);
  if (view) return view;
  view = new Map(data.actors.map((actor) => [actor.name, { status: "", facts: new Map() }]));
  for (const number of data.states[state].beliefs) {
    const fact = factOf(number);
    const one = view.get(fact.who);
    if (fact.subject === "") one.status = fact.value;
    else {
      if (/^stopped /.test(fact.line)) one.over = true;
      const more = one.facts.get(fact.subject);
      one.facts.set(fact.subject, more === undefined ? fact.value : more + ", " + fact.value);
    }
  }
  for (const one of view.values()) if (one.status.startsWith("down")) one.facts.clear();
  viewCache.set(state, view);
  return view;
}

function changesBetween(before, after) {
  const lines = [];
  for (const { name } of data.actors) {
    const old = before.get(name);
    const now = after.get(name);
    if (old.status !== now.status) lines.push(`${name}: ${now.status || "up"}`);
    if (now.status.startsWith("down") || old.status.startsWith("down")) continue;
    for (const [subject, value] of now.facts) {
      if (old.facts.get(subject) !== value) lines.push(sayFact(name, subject, value));
    }
    // What an operator or a client has done with goes without saying.
    if (!isNode(name)) continue;
    for (const [subject, value] of old.facts) {
      if (!now.facts.has(subject)) lines.push(sayFact(name, "no longer " + subject, value));
    }
  }
  return lines;
}
function isNode(name) {
  return data.actors.some((actor) => actor.name === name && actor.kind === "node");
}
function sayFact(name, subject, value) {
  if (value === "yes") return `${name}: ${subject}`;
  if (subject === `config epoch of ${name}`) subject = "config epoch";
  const colon = /^(no longer )?owner of/.test(subject) || subject.endsWith(")") ? ":" : "";
  return `${name}: ${subject}${colon} ${value}`;
}

// --- small helpers

function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}
function makeSvg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
function holds(state, property) {
  return Math.floor(data.states[state].truths / 2 ** property) % 2 === 1;
}
// What it means that a property has this value: what must never be false is bad when it is; what
// must become true in the end may be open for a while; what is to happen sometimes is unmet so far.
function toneOf(property, value) {
  if (value) return "true";
  return { always: "false", sometimes: "unmet" }[property.mood] || "open";
}
function plural(n, word) { return `${n.toLocaleString("en-US")} ${word}${n === 1 ? "" : "s"}`; }

// --- going somewhere

function hashOf(position, prefix, branch) {
  if (branch.length === 0) return `#${position}`;
  return `#${position}/${prefix}~${branch.join(".")}`;
}
// The address of the place one event further by this edge.
function hashAfter(number) {
  if (!onBranch() && data.run[here.position] === number) return `#${here.position + 1}`;
  const prefix = Math.min(here.prefix, here.position);
  const branch = here.branch.slice(0, Math.max(0, here.position - here.prefix)).concat([number]);
  return hashOf(here.position + 1, prefix, branch);
}

function goTo(position, keepHash) {
  here.position = Math.max(0, Math.min(here.path.length, position));
  if (!keepHash) history.replaceState(null, "", hashOf(here.position, here.prefix, here.branch));
  show();
}

function readHash() {
  const match = /^#(\d+)(?:\/(\d+)~([\d.]+))?$/.exec(location.hash);
  if (!match) {
    buildPath(data.run.length, []);
    goTo(0, true);
    return;
  }
  if (match[2] === undefined) buildPath(data.run.length, []);
  else buildPath(Number(match[2]), match[3].split(".").map(Number));
  goTo(Number(match[1]), true);
}

// --- showing

function show() {
  showControls();
  showNow();
  showRows(true);
  showBeliefs();
  showProperties();
  showWhy();
  showBranches();
}

function showControls() {
  const length = here.path.length;
  const slider = at("slider");
  slider.max = length;
  slider.value = here.position;
  slider.setAttribute("aria-valuetext", eventText(here.position));
  at("count").textContent = `${here.position} / ${length}`;
  at("first").disabled = at("previous").disabled = here.position === 0;
  at("last").disabled = at("next").disabled = here.position === length;
  const leave = at("leave");
  leave.hidden = !onBranch();
  leave.href = `#${Math.min(here.position, here.prefix)}`;
  leave.textContent = `branch after event ${here.prefix}: back to the run`;
}

function eventText(position) {
  if (position === 0) return "At the start";
  return `Event ${position} of ${here.path.length}: ${S[here.path[position - 1].edge[0]]}`;
}

function showNow() {
  at("sentence").textContent = eventText(here.position);
  const list = at("changes");
  list.replaceChildren();
  if (here.position === 0) return;
  const { from, to, edge } = here.path[here.position - 1];
  for (const line of changesBetween(viewOf(from), viewOf(to))) list.append(make("li", line));
  for (const note of edge[EDGE.notes]) list.append(make("li", S[note], "note"));
  data.properties.forEach((property, i) => {
    if (holds(from, i) === holds(to, i)) return;
    const wrong = S[data.states[to].wrongs[i]];
    const looks = { true: "good", false: "bad", open: "open", unmet: "note" };
    list.append(make("li", `${property.name} is ${holds(to, i)} now` + (wrong ? `: ${wrong}` : ""),
                     looks[toneOf(property, holds(to, i))]));
  });
  if (!list.firstChild) list.append(make("li", "nothing changes", "note"));
}

// The columns of the diagram, and where the sentences begin.
function columns() {
  const width = at("rows").clientWidth || 300;
  const n = data.actors.length;
  const gap = Math.max(24, Math.min(78, (width * (isNarrow({ width }) ? 0.46 : 0.5)) / n));
  return { width, gap, x: (i) => gap * (i + 0.5), text: gap * n + 6 };
}

function isNarrow(layout) { return layout.width < 520; }

function showActors(layout) {
  const heads = at("actors");
  heads.replaceChildren();
  data.actors.forEach((actor, i) => {
    const last = i === data.actors.length - 1;  // there is room to the right of it
    const letters = Math.max(3, Math.floor(layout.gap / 8));
    const cut = !last && actor.name.length > letters;
    const head = make("span", cut ? actor.name.slice(0, letters - 1) + "…" : actor.name);
    if (last && actor.name.length > letters) head.className = "end";
    head.style.left = `${layout.x(i)}px`;
    heads.append(head);
  });
}

// What the canvas shows; it is kept while only the place in it moves.
let drawnRows = { path: null };
function showRows(follow) {
  const rows = at("rows");
  const layout = columns();
  const canvas = at("canvas");
  if (drawnRows.path !== here.path || drawnRows.width !== layout.width) {
    showActors(layout);
    // What is under way at the end shows where to.
    canvas.style.height = `${(here.path.length + 1.5) * ROW}px`;
  }
  if (follow) {
    const top = here.position * ROW;
    if (top < rows.scrollTop + ROW || top > rows.scrollTop + rows.clientHeight - 2 * ROW) {
      rows.scrollTop = Math.max(0, top - rows.clientHeight / 2);
    }
  }
  const first = Math.max(0, Math.floor(rows.scrollTop / ROW) - 4);
  const last = Math.min(here.path.length,
                        Math.ceil((rows.scrollTop + rows.clientHeight) / ROW) + 4);
  const now = { path: here.path, width: layout.width, first, last };
  if (Object.keys(now).some((what) => now[what] !== drawnRows[what])) {
    drawnRows = now;
    canvas.replaceChildren(make("div", undefined, "band"), drawing(layout, first, last));
    for (let row = first; row <= last; ++row) canvas.append(rowText(layout, row));
    const mark = noReturnMark();
    if (mark !== null && mark >= first && mark <= last) canvas.append(noReturnLine(mark, layout));
  }
  markPlace(first, last);
}

function markPlace(first, last) {
  const band = at("canvas").querySelector(".band");
  band.style.top = `${here.position * ROW}px`;
  for (let row = first; row <= last; ++row) {
    const element = at(`row-${row}`);
    element.setAttribute("aria-selected", String(row === here.position));
    element.classList.toggle("here", row === here.position);
    element.classList.toggle("ahead", row > here.position);
  }
  at("rows").setAttribute("aria-activedescendant", `row-${here.position}`);
}

function decides(row) {
  if (row === 0) return false;
  const sentence = S[here.path[row - 1].edge[EDGE.sentence]];
  return data.explanation.orderings.some((o) => o.before === sentence || o.after === sentence);
}

// The event beside its arrow, which tells already who is told: the command as typed, and what was
// answered if that is worth telling.
function labelOf(edge, narrow) {
  const step = /^step (.+) reaches /.exec(S[edge[EDGE.clause]]);
  const typed = S[edge[EDGE.sentence]].split(": ").slice(1).join(": ");
  const command = narrow ? typed.replace(/^CLUSTER /, "") : typed;
  const message = /^\S+ hears from \S+: (.*)/.exec(S[edge[EDGE.clause]]);
  const client = /^clients (\S+) sends \S+: (.*)/.exec(S[edge[EDGE.clause]]);
  const label = step && command ? `step ${step[1]}: ${command}`
                : client        ? `${client[1]}: ${client[2]}`
                : message       ? message[1]
                                : S[edge[EDGE.clause]];
  const answers = edge[EDGE.notes].map((note) => / is answered (.*)/.exec(S[note]))
                                  .filter((answer) => answer).map((answer) => answer[1]);
  return answers.length > 0 ? `${label} → ${answers.join(", ")}` : label;
}

function rowText(layout, row) {
  const element = make("div", undefined, "row");
  element.id = `row-${row}`;
  element.setAttribute("role", "option");
  element.setAttribute("aria-posinset", row + 1);
  element.setAttribute("aria-setsize", here.path.length + 1);
  element.style.top = `${row * ROW}px`;
  element.style.left = `${layout.text}px`;
  if (data.explanation) element.append(make("span", decides(row) ? "◆" : "", "badge"));
  element.append(make("span", row === 0 ? "" : String(row), "number"),
                 make("span", row === 0 ? "start" : labelOf(here.path[row - 1].edge,
                                                                 isNarrow(layout)), "words"));
  element.title = eventText(row);
  element.addEventListener("click", () => goTo(row));
  return element;
}

function noReturnMark() {
  if (!data.explanation || data.explanation.no_return === null) return null;
  const mark = data.explanation.no_return;
  return onBranch() && here.prefix < mark ? null : mark;
}
// Where there is room its words stand at the end of the row, else below the line.
function noReturnLine(row, layout) {
  const line = make("div", undefined, isNarrow(layout) ? "no-return" : "no-return wide");
  if (!isNarrow(layout)) at(`row-${row}`).classList.add("marked");
  line.style.top = `${(row + 1) * ROW - 1}px`;
  line.append(make("span", "no return from here"));
  return line;
}

function drawing(layout, first, last) {
  const top = first * ROW;
  const svg = makeSvg("svg", { width: layout.width, height: (last - first + 1) * ROW,
                               "aria-hidden": "true" });
  svg.style.top = `${top}px`;
  const y = (row) => row * ROW + ROW / 2 - top;
  for (let row = first; row <= last; ++row) drawLives(svg, layout, row, y);
  for (const arrow of here.arrows) {
    if (arrow.end < first || arrow.sent > last) continue;
    drawArrow(svg, layout, arrow, y);
  }
  for (let row = Math.max(1, first); row <= last; ++row) drawEvent(svg, layout, row, y);
  return svg;
}

function drawLives(svg, layout, row, y) {
  const view = viewOf(stateAt(row));
  data.actors.forEach((actor, i) => {
    const one = view.get(actor.name);
    const down = one.status !== "" || one.over === true;
    svg.append(makeSvg("line", { class: down ? "life down" : "life", x1: layout.x(i),
                                 x2: layout.x(i), y1: y(row), y2: y(row + 1) }));
  });
}

function drawTip(svg, x1, y1, x2, y2, className) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const px = x2 - ux * 9, py = y2 - uy * 9;
  svg.append(makeSvg("path", { class: `${className} tip`,
                               d: `M${x2} ${y2}L${px - uy * 4.5} ${py + ux * 4.5}` +
                                  `L${px + uy * 4.5} ${py - ux * 4.5}Z` }));
}

function drawArrow(svg, layout, arrow, y) {
  const [from, to] = data.links[arrow.link];
  const x1 = layout.x(from), y1 = y(arrow.sent);
  let x2 = layout.x(to), y2 = y(arrow.end);
  const whole = arrow.fate === "message";
  if (!whole) {  // it never arrived: half the way
    x2 = x1 + (x2 - x1) * 0.55;
    y2 = y1 + Math.min(y2 - y1, ROW) * 0.75;
  }
  const kind = arrow.fate === "lost" ? "missed" : whole ? "message" : "message flying";
  svg.append(makeSvg("line", { class: kind, x1, y1, x2, y2 }));
  if (whole) drawTip(svg, x1, y1, x2, y2, "message");
  else if (arrow.fate === "lost") drawCross(svg, x2, y2, 4);
}

function drawCross(svg, x, y, r) {
  svg.append(makeSvg("path", { class: "cross",
                               d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}` +
                                  `L${x + r} ${y - r}` }));
}

function drawEvent(svg, layout, row, y) {
  const edge = here.path[row - 1].edge;
  const actors = edge[EDGE.actors];
  const kind = edge[EDGE.kind];
  if (kind === "step" && actors.length > 1) {
    const x1 = layout.x(actors[0]);
    for (const other of actors.slice(1)) {
      const x2 = layout.x(other);
      svg.append(makeSvg("line", { class: "call", x1, x2, y1: y(row), y2: y(row) }));
      drawTip(svg, x1, y(row), x2, y(row), "call");
    }
  }
  if (kind === "fault") {
    for (const actor of actors) drawCross(svg, layout.x(actor), y(row), 7);
    return;
  }
  const who = kind === "message" ? actors[1] : actors[0];
  svg.append(makeSvg("circle", { class: kind === "mending" ? "mending" : "dot", cx: layout.x(who),
                                 cy: y(row), r: 4.5 }));
}

// Slots first, each with its marks and keys; then what a node says of itself; then epochs.
const ORDER = [/^owner of (\d+)/, /^migrating (\d+)/, /^importing (\d+)/, /^keys of (\d+)/, /^role/,
               /^cluster state/, /^data set/, /replica of/, /^current epoch/, /^config epoch/];
function inOrder(a, b) {
  const placeOf = (subject) => {
    const kind = ORDER.findIndex((pattern) => pattern.test(subject));
    const slot = kind >= 0 && ORDER[kind].exec(subject)[1];
    return slot ? [0, Number(slot), kind] : [1, 0, kind >= 0 ? kind : ORDER.length];
  };
  const x = placeOf(a), y = placeOf(b);
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || (a < b ? -1 : a > b ? 1 : 0);
}

function showBeliefs() {
  const now = viewOf(stateAt(here.position));
  const before = here.position > 0 ? viewOf(here.path[here.position - 1].from) : now;
  const nodes = data.actors.filter((actor) => actor.kind === "node").map((actor) => actor.name);
  const found = new Set();
  for (const name of nodes) {
    for (const subject of now.get(name).facts.keys()) found.add(subject);
    for (const subject of before.get(name).facts.keys()) {
      if (!now.get(name).status.startsWith("down")) found.add(subject);
    }
  }
  const subjects = [...found].sort(inOrder);
  const table = at("beliefs");
  const head = make("thead");
  const titles = make("tr");
  const corner = make("th");
  corner.append(make("span", "fact", "hidden"));
  corner.scope = "col";
  titles.append(corner);
  for (const name of nodes) {
    const title = make("th", name + " ");
    title.scope = "col";
    if (now.get(name).status) title.append(make("span", now.get(name).status, "state"));
    titles.append(title);
  }
  head.append(titles);
  const body = make("tbody");
  for (const subject of subjects) {
    const row = make("tr");
    const title = make("th", subject);
    title.scope = "row";
    row.append(title);
    for (const name of nodes) row.append(beliefCell(before.get(name), now.get(name), subject));
    body.append(row);
  }
  table.replaceChildren(make("caption", "Changes of the last event are marked", "hidden"), head,
                        body);
  showOthers(before, now);
}

function beliefCell(before, now, subject) {
  const value = now.facts.get(subject);
  const old = before.facts.get(subject);
  const cell = make("td", value || "");
  const down = now.status.startsWith("down") || before.status.startsWith("down");
  if (value !== old && !down) {
    cell.className = "changed";
    cell.append(make("span", " changed", "hidden"));
    if (old !== undefined) {
      if (value === undefined) cell.append(make("span", "gone, was ", "hidden"));
      cell.append(" ", make("span", old, "was"));
    }
  }
  return cell;
}

function showOthers(before, now) {
  const list = at("others");
  list.replaceChildren();
  for (const { name, kind } of data.actors) {
    if (kind === "node") continue;
    const say = (view) => {
      const one = view.get(name);
      const facts = [...one.facts].map(([subject, value]) =>
        value === "yes" ? subject : `${subject} ${value}`);
      return [one.status, ...facts].filter((x) => x).join(", ");
    };
    const text = say(now);
    list.append(make("li", `${name}: ${text}`, text !== say(before) ? "changed" : ""));
  }
}

// Stretches of the path in which a property has one value: [value, first, last].
function stretches(property) {
  const list = [];
  for (let i = 0; i <= here.path.length; ++i) {
    const value = holds(stateAt(i), property);
    const open = list[list.length - 1];
    if (open && open[0] === value) open[2] = i;
    else list.push([value, i, i]);
  }
  return list;
}

let stripsOf = null;  // the path that the strips were drawn for
const cursors = [];
const values = [];
function showProperties() {
  if (stripsOf !== here.path) drawStrips();
  data.properties.forEach((property, i) => {
    const state = stateAt(here.position);
    const value = holds(state, i);
    const wrong = S[data.states[state].wrongs[i]];
    values[i].textContent = value ? "true" : "false" + (wrong ? `: ${wrong}` : "");
    values[i].className = `value ${toneOf(property, value)}`;
    cursors[i].setAttribute("x1", here.position + 0.5);
    cursors[i].setAttribute("x2", here.position + 0.5);
  });
}

function drawStrips() {
  stripsOf = here.path;
  const box = at("properties");
  box.replaceChildren();
  const length = here.path.length + 1;
  data.properties.forEach((property, i) => {
    const row = make("div", undefined, "property");
    const name = make("div", property.name, "name");
    name.append(make("small", property.mood));
    const svg = makeSvg("svg", { viewBox: `0 0 ${length} 10`, preserveAspectRatio: "none",
                                 role: "img" });
    const parts = [];
    const shapes = ["", ""];  // one for each value: a run may change it thousands of times
    for (const [value, first, last] of stretches(i)) {
      // False is told by height as well as by colour.
      const box = value ? [6, 3] : [1, 8];
      shapes[Number(value)] += `M${first} ${box[0]}h${last - first + 1}v${box[1]}H${first}Z`;
      parts.push(`${value} from ${first === 0 ? "the start" : "event " + first}`);
    }
    for (const value of [true, false]) {
      svg.append(makeSvg("path", { class: toneOf(property, value), d: shapes[Number(value)] }));
    }
    svg.setAttribute("aria-label", `${property.name}: ${parts.slice(0, 20).join(", ")}`);
    cursors[i] = makeSvg("line", { class: "cursor", y1: 0, y2: 10 });
    svg.append(cursors[i]);
    svg.addEventListener("click", (event) => {
      const bounds = svg.getBoundingClientRect();
      goTo(Math.floor(((event.clientX - bounds.left) / bounds.width) * length));
    });
    values[i] = make("div", "", "value");
    row.append(name, svg, values[i]);
    box.append(row);
  });
}

function showWhy() {
  const why = data.explanation;
  at("why").hidden = !why;
  if (!why) return;
  at("decides").hidden = false;
  at("summary").textContent = why.why;
  const list = at("deciding");
  list.replaceChildren();
  const jump = (text, row) => {
    const button = make("button", text);
    button.addEventListener("click", () => goTo(row));
    return button;
  };
  const mark = noReturnMark();
  if (mark !== null) {
    const item = make("li", "Point of no return: ");
    item.append(jump(mark === 0 ? "the start" : `event ${mark}`, mark));
    list.append(item);
  }
  for (const ordering of why.orderings) {
    const item = make("li", ordering.text + " ");
    for (const sentence of [ordering.before, ordering.after]) {
      const row = here.path.findIndex(({ edge }) => S[edge[0]] === sentence) + 1;
      if (row > 0) item.append(jump(`event ${row}`, row), " ");
    }
    list.append(item);
  }
}

const KINDS = [["step", "Steps"], ["message", "Messages that could arrive"], ["fault", "Faults"],
               ["mending", "Mendings"]];
function isHeartbeat(edge) { return / heartbeat to /.test(S[edge[EDGE.sentence]]); }
function showBranches() {
  const box = at("branches");
  box.replaceChildren();
  const edges = data.states[stateAt(here.position)].edges;
  const taken = here.position < here.path.length ? here.path[here.position].number : -1;
  for (const [kind, title] of KINDS) {
    const list = make("ul");
    // What people do comes before what nodes do by themselves.
    const numbers = edges.map((edge, number) => number).sort((a, b) =>
        isHeartbeat(edges[a]) - isHeartbeat(edges[b]) || a - b);
    numbers.forEach((number) => {
      const edge = edges[number];
      if (edge[EDGE.kind] !== kind || number === taken) return;
      const item = make("li");
      if (edge[EDGE.target] >= 0) {
        const link = make("a", S[edge[0]]);
        link.href = hashAfter(number);
        item.append(link);
      } else {
        item.textContent = S[edge[0]];
        item.className = "beyond";
        item.title = "beyond what this page holds: slotlab step goes there";
      }
      list.append(item);
    });
    if (list.firstChild) box.append(make("h3", title), list);
  }
  if (!box.firstChild) {
    box.append(make("p", edges.length === 0 ? "Nothing is possible any more."
                                            : "Nothing else is possible here."));
  }
}

// --- beginning

at("title").textContent = data.title;
document.title = `${data.title}: a run`;
at("origin").textContent = `${data.subject}, ${data.dialect}: ` +
      `${plural(data.run.length, "event")}, ` +
                           data.origin;
at("first").addEventListener("click", () => goTo(0));
at("previous").addEventListener("click", () => goTo(here.position - 1));
at("next").addEventListener("click", () => goTo(here.position + 1));
at("last").addEventListener("click", () => goTo(here.path.length));
at("slider").addEventListener("input", () => goTo(Number(at("slider").value)));
let drawn = false;
at("rows").addEventListener("scroll", () => {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => { drawn = false; showRows(false); });
});
addEventListener("resize", () => showRows(false));
addEventListener("hashchange", readHash);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const onSlider = event.target.id === "slider";
  const moves = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
  if (event.target.id === "rows") Object.assign(moves, { ArrowDown: 1, ArrowUp: -1 });
  if (!onSlider && event.key in moves) goTo(here.position + moves[event.key]);
  else if (!onSlider && event.key === "Home") goTo(0);
  else if (!onSlider && event.key === "End") goTo(here.path.length);
  else if ((event.key === "b" || event.key === "B") && onBranch()) location.hash = at("leave").hash;
  else return;
  event.preventDefault();
});
readHash();
