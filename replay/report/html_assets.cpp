#include "replay/report/html_assets.h"

namespace raddle {

const char* const html_style = R"css(
:root {
  color-scheme: light dark;
  --paper: #f7f6f3; --card: #ffffff; --ink: #1d2126; --soft: #5c6570; --line: #dcdad4; --code: #f1efe9; --mark: #fff0b8;
  --bad: #b3261e; --bad-soft: #fbe9e7; --good: #1b6e3c; --good-soft: #e4f3e9; --doubt: #8a5a00; --doubt-soft: #fdf1d8;
  --accent: #3557c4; --accent-soft: #e8edfb; --arrow: #7c8591; --shadow: 0 1px 2px #0000001a, 0 8px 24px #00000024;
  --t0: #5c6570; --t1: #2f6fc0; --t2: #b0571a; --t3: #23804f; --t4: #8549b4; --t5: #b03468;
  --l0: #c9852b; --l1: #3f8fb5; --l2: #7d6cc9; --l3: #4f9a62; --l4: #c0627e; --l5: #7f8a33;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1d2127; --ink: #e6e8ea; --soft: #a0a9b4; --line: #343a43; --code: #171a1f; --mark: #4a3f14;
    --bad: #ff8f84; --bad-soft: #3a1f1d; --good: #7fd6a0; --good-soft: #173022; --doubt: #f1c268; --doubt-soft: #362a12;
    --accent: #9db4ff; --accent-soft: #232c4a; --arrow: #8b95a3; --shadow: 0 1px 2px #0008, 0 8px 24px #000a;
    --t0: #a0a9b4; --t1: #7fb2f5; --t2: #f0a063; --t3: #74cf9d; --t4: #c79bee; --t5: #f48fb6;
    --l0: #b27525; --l1: #367fa1; --l2: #6f5fb5; --l3: #468956; --l4: #a8546d; --l5: #6f792c;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main, header, footer, nav { max-width: 1180px; margin: 0 auto; padding: 0 36px; }
code, pre, kbd, .place, .frames { font-family: ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
h1 { font-size: 27px; line-height: 1.25; margin: 6px 0 14px; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 20px; line-height: 1.35; margin: 0 0 4px; text-wrap: pretty; }
h3 { font-size: 12.5px; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); margin: 34px 0 10px; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 12px; top: 12px; background: var(--card); padding: 8px 14px; z-index: 30; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

header { padding-top: 36px; padding-bottom: 6px; }
header .what { color: var(--soft); margin: 0; overflow-wrap: anywhere; }
header .what code { color: var(--ink); }
.verdict { display: inline-block; font-weight: 650; font-size: 12.5px; letter-spacing: 0.06em; text-transform: uppercase; border-radius: 99px; padding: 3px 12px; margin: 20px 0 2px; }
.bad { color: var(--bad); background: var(--bad-soft); }
.good { color: var(--good); background: var(--good-soft); }
.doubt { color: var(--doubt); background: var(--doubt-soft); }
.numbers { display: flex; flex-wrap: wrap; gap: 10px 34px; margin: 0; padding: 0; list-style: none; }
.numbers b { display: block; font-size: 19px; font-weight: 600; font-variant-numeric: tabular-nums; }
.numbers span { color: var(--soft); font-size: 13px; }
nav ol { margin: 22px 0 0; padding: 0; list-style: none; display: grid; gap: 6px; }
nav a { display: block; padding: 8px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; text-decoration: none; }
section nav { padding: 0; }
progress { display: block; width: 100%; margin: 16px 0 6px; accent-color: var(--accent); }
nav a:hover { border-color: var(--accent); }

section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 26px 30px 30px; margin: 26px 0; }
main { padding: 0 18px; }
h2.test { margin: 34px 12px 0; font-size: 22px; overflow-wrap: anywhere; }
#tests td { vertical-align: top; padding: 6px 14px 6px 0; overflow-wrap: anywhere; }
#tests .verdict { margin: 0; white-space: nowrap; }
.kind { text-transform: uppercase; letter-spacing: 0.06em; font-size: 12.5px; font-weight: 650; color: var(--bad); margin: 0 0 4px; }
.kind.doubtful { color: var(--doubt); }
.lead { color: var(--soft); margin: 2px 0 0; }
.decisive-switch, .not-proven { border-left: 4px solid var(--accent); background: var(--accent-soft); border-radius: 0 10px 10px 0; padding: 12px 18px; margin: 20px 0 0; }
.decisive-switch b, .not-proven b { display: block; font-size: 12.5px; letter-spacing: 0.06em; text-transform: uppercase; color: var(--accent); }
.not-proven { border-color: var(--doubt); background: var(--doubt-soft); }
.not-proven b { color: var(--doubt); }
ul.facts { margin: 0; padding-left: 20px; }
ul.facts .inner { list-style: none; color: var(--soft); margin-left: 8px; }
ul.facts .inner::before { content: "└ "; }

.timeline-frame { overflow-x: auto; padding-bottom: 8px; }
.timeline { --gutter: 4px; --lane: 186px; --gap: 26px; position: relative; display: grid; grid-auto-rows: auto; row-gap: 16px; min-width: min-content; font-size: 13.5px; line-height: 18px; }
.t0 { --own: var(--t0); } .t1 { --own: var(--t1); } .t2 { --own: var(--t2); } .t3 { --own: var(--t3); } .t4 { --own: var(--t4); } .t5 { --own: var(--t5); }
.l0 { --lock: var(--l0); } .l1 { --lock: var(--l1); } .l2 { --lock: var(--l2); } .l3 { --lock: var(--l3); } .l4 { --lock: var(--l4); } .l5 { --lock: var(--l5); }
.lane { border-radius: 10px; margin-bottom: -8px; background: color-mix(in srgb, var(--own) 5%, transparent); }
.lane-head { padding: 7px 12px; border-bottom: 2px solid var(--own); overflow-wrap: anywhere; color: var(--soft); }
.lane-head b { color: var(--own); font-size: 15px; margin-right: 4px; }
.fold { list-style: none; position: relative; z-index: 2; color: var(--soft); font-size: 12.5px; line-height: 20px; }
.fold summary { width: max-content; max-width: 100%; margin: 0 auto; padding: 0 12px; border: 1px dashed var(--line); border-radius: 99px; background: var(--card); }
.fold details { margin: 0; }
.fold details[open] table { margin: 8px 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.bar { z-index: 1; width: 18px; border-radius: 6px; background: var(--lock); color: #fff; overflow: hidden; writing-mode: vertical-rl; font-size: 11px; line-height: 18px; white-space: nowrap; text-overflow: ellipsis; padding: 6px 0; }
.bar.kept { border-bottom-left-radius: 0; border-bottom-right-radius: 0; }
.bar.shared { background: repeating-linear-gradient(45deg, var(--lock) 0 6px, color-mix(in srgb, var(--lock) 72%, #000) 6px 9px); }
.order { display: contents; --stroke: var(--arrow); --width: 1.6px; }
.order i { pointer-events: none; }
.order .out { align-self: start; margin-top: 18px; border-top: var(--width) solid var(--stroke); }
.order .down { margin-top: 18px; margin-bottom: -8px; width: 0; border-left: var(--width) solid var(--stroke); }
.order .across { align-self: start; margin-top: -8px; border-top: var(--width) solid var(--stroke); }
.order.right .across { margin-right: -20px; }
.order.left .across { margin-left: -24px; }
.order .tip { position: relative; z-index: 3; align-self: start; width: 9px; height: 8px; margin-top: -8px; background: var(--stroke); clip-path: polygon(0 0, 100% 0, 50% 100%); }
.order.right .tip { justify-self: start; margin-left: 16px; }
.order.left .tip { justify-self: end; margin-right: 20px; }
.order.lit { --stroke: var(--accent); --width: 2.6px; }
.wait { position: relative; align-self: start; margin-top: -16px; pointer-events: none; border: 2px dashed var(--bad); border-top: 0; border-radius: 0 0 6px 6px; }
.wait::before { content: ""; position: absolute; top: -2px; width: 10px; height: 9px; background: var(--bad); clip-path: polygon(0 100%, 100% 100%, 50% 0); }
.wait.left::before { left: -6px; }
.wait.right::before { right: -6px; }
.wait.lit { border-color: var(--accent); }
.steps { display: contents; list-style: none; }
.step { position: relative; min-width: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--own); border-radius: 8px; padding: 7px 10px; cursor: default; }
.step:hover, .step:focus { border-color: var(--own); z-index: 20; }
.step.current { outline: 2px solid var(--accent); outline-offset: 1px; }
.step > .deed, .step > .source, .step > .place { display: block; overflow-wrap: anywhere; }
.step > .deed { font-weight: 550; margin-right: 22px; }
.step > .source { white-space: pre-wrap; }
.step > .step-number { position: absolute; top: 7px; right: 9px; color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.place { color: var(--soft); font-size: 12px; }
.source { font-size: 12px; color: var(--ink); opacity: 0.85; }
.step.pending { border-style: dashed; border-color: var(--bad); border-left: 3px solid var(--bad); background: color-mix(in srgb, var(--bad-soft) 55%, var(--card)); }
.step.decisive { box-shadow: 0 0 0 2px var(--accent); }
.badges { display: flex; flex-wrap: wrap; gap: 4px 6px; margin: 0 26px 4px 0; }
.badge { font-size: 11.5px; line-height: 17px; padding: 0 8px; border-radius: 99px; white-space: nowrap; }
.preempts { background: var(--doubt-soft); color: var(--doubt); }
.decides { background: var(--accent-soft); color: var(--accent); }
.more { display: none; position: fixed; z-index: 25; left: 10px; right: 10px; bottom: 10px; max-width: 900px; margin: 0 auto; max-height: 45vh; overflow: auto; background: var(--card); border: 1px solid var(--own); border-radius: 10px; box-shadow: var(--shadow); padding: 10px 14px; }
.step:hover .more, .step:focus .more, .step:focus-within .more { display: block; }
.quiet .more { display: none !important; }
.tools { position: sticky; top: 0; z-index: 30; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 8px 18px; background: var(--paper); font-size: 13px; color: var(--soft); }
.tools input[type=search] { flex: 1 1 180px; max-width: 340px; }
.tools input[type=search], .tools button { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 4px 10px; min-height: 32px; }
.hit { background: var(--mark) !important; }
.hit.now { outline: 2px solid var(--doubt); }
.slider { position: sticky; bottom: 0; z-index: 6; display: flex; align-items: center; gap: 12px; padding: 8px 10px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: 13px; }
.slider input { flex: 1; min-width: 120px; accent-color: var(--accent); }

.frames { margin: 0; padding-left: 30px; font-size: 12.5px; line-height: 1.6; color: var(--soft); overflow-wrap: anywhere; }
.frames b { color: var(--ink); font-weight: 550; }
.frames em { font-style: normal; opacity: 0.8; font-size: 11.5px; }
.frames .rest { list-style: none; }
.snippet { margin: 8px 0 0; padding: 8px 0; background: var(--code); border-radius: 8px; font-size: 12.5px; line-height: 1.55; overflow-x: auto; tab-size: 4; }
.snippet span { display: block; padding: 0 14px 0 0; min-width: max-content; }
.snippet i { display: inline-block; width: 46px; padding-right: 14px; text-align: right; font-style: normal; color: var(--soft); user-select: none; }
.snippet .marked { background: var(--mark); box-shadow: inset 3px 0 0 var(--doubt); }
.stacks { display: grid; gap: 18px 26px; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); }
.stacks h4 { margin: 0 0 4px; font-size: 14px; }

.compare { font-size: 13px; line-height: 1.4; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) 22px minmax(0, 1fr); border-top: 1px solid var(--line); }
.pair.heads { border-top: 0; font-size: 14px; }
.pair > .mark { text-align: center; padding: 4px 0; color: var(--accent); }
.side { padding: 4px 8px; display: grid; grid-template-columns: 34px 36px minmax(0, 1fr); gap: 0 6px; align-items: start; overflow-wrap: anywhere; }
.side:not(:has(.at)) { display: block; }
.side .at { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.side .value { margin-left: 6px; padding: 0 6px; border-radius: 5px; background: var(--code); }
.side .place { margin-left: 6px; }
.pair.equal { color: var(--soft); }
.pair.moved .side:not(.nothing), .pair.alone .side:not(.nothing) { background: color-mix(in srgb, var(--doubt-soft) 60%, var(--card)); }
.pair.differs .side { background: color-mix(in srgb, var(--bad-soft) 60%, var(--card)); }
.decisive-pair .side:not(.nothing) { box-shadow: inset 0 0 0 2px var(--accent); border-radius: 6px; color: var(--ink); }
.pair.current { outline: 2px solid var(--accent); outline-offset: -1px; background: var(--accent-soft); }
.equal-steps { margin: 0; border-top: 1px solid var(--line); padding: 2px 8px; }
.values-frame { overflow-x: auto; }
.values th { text-align: left; font-weight: 600; padding: 4px 8px; }
table.list.values td:first-child { text-align: left; color: inherit; width: auto; font-weight: 550; }
.chip { display: inline-block; margin: 1px 4px 1px 0; padding: 0 6px; border: 1px solid var(--line); border-radius: 6px; background: var(--code); white-space: nowrap; }
.chip i { margin-left: 5px; color: var(--soft); font-style: normal; font-size: 11px; }
.chip.current { border-color: var(--accent); background: var(--accent-soft); }
table.list { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 1.4; }
table.list td { padding: 4px 8px; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
table.list td:first-child { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; width: 42px; }
.thread { display: inline-block; min-width: 30px; text-align: center; font-weight: 600; font-size: 12px; border-radius: 5px; padding: 0 6px; color: var(--own); background: color-mix(in srgb, var(--own) 14%, transparent); }
.hint { color: var(--soft); font-size: 13px; margin: 0 0 8px; }
.not-proven + .hint { margin-top: 12px; }
kbd { font-size: 11.5px; border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; background: var(--code); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 22px; color: var(--soft); font-size: 13px; margin: 0 0 12px; padding: 0; list-style: none; }
.legend i { display: inline-block; vertical-align: -2px; margin-right: 7px; }
.legend .a-bar { width: 9px; height: 15px; border-radius: 3px; background: var(--l0); }
.legend .an-arrow { width: 22px; height: 0; border-top: 2px solid var(--arrow); vertical-align: 4px; }
.legend .a-wait { width: 22px; height: 0; border-top: 2px dashed var(--bad); vertical-align: 4px; }
details { margin-top: 12px; }
summary { cursor: pointer; color: var(--soft); }
pre.text { background: var(--code); border-radius: 8px; padding: 12px 16px; margin: 8px 0 0; overflow: auto; max-height: 460px; font-size: 12.5px; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { color: var(--soft); font-size: 13px; padding-bottom: 48px; }
@media (max-width: 900px) { header, nav, footer { padding: 0 20px; } header { padding-top: 24px; } section { padding: 20px 16px; } main { padding: 0 8px; } }
@media (max-width: 600px) {
  section { padding: 18px 10px; } main { padding: 0 4px; } h1 { font-size: 22px; }
  .timeline { --lane: 142px; --gap: 22px; font-size: 12.5px; }
  .step { padding: 6px 7px; }
  .pair { grid-template-columns: minmax(0, 1fr) 16px minmax(0, 1fr); }
  .side { grid-template-columns: 22px 32px minmax(0, 1fr); padding: 4px 3px; } .side .deed { grid-column: 1 / -1; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  @page { size: A4 landscape; margin: 11mm; }
  body { background: #fff; font-size: 11pt; }
  main, header, nav, footer { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 18px 0; break-before: auto; }
  .more, .hint, .skip, .tools, .slider { display: none !important; }
  .bar, .lane, .step, .snippet, .verdict, .badge, .decisive-switch, .not-proven, tr { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .step, .stacks > div, tr, .decisive-switch, .not-proven { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .timeline-frame { overflow: visible; }
  pre.text { max-height: none; }
}
)css";

// Arrow keys move from step to step, Escape closes the details of a step, and pointing at a step highlights its arrows.
// Search, zoom and the slider exist only with the script, so nothing on the page is dead without it.
const char* const html_script = R"js(
(() => {
  "use strict";
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const reveal = (element) => {
    for (let up = element.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    element.scrollIntoView({ block: "center", inline: "nearest" });
  };
  const light = (step, on) => {
    for (const arrow of step.closest(".timeline").querySelectorAll(".order, .wait"))
      if (arrow.dataset.from === step.id || arrow.dataset.to === step.id) arrow.classList.toggle("lit", on);
  };
  const beside = (all, at, direction) => {
    const lane = Number(all[at].dataset.lane) + direction;
    const there = all.filter((one) => Number(one.dataset.lane) === lane);
    const distance = (one) => Math.abs(one.offsetTop - all[at].offsetTop);
    return there.sort((a, b) => distance(a) - distance(b))[0];
  };
  const by_keys = (list) => {
    const all = Array.from(list.querySelectorAll(".step"));
    all.forEach((step, at) => {
      for (const kind of ["mouseenter", "focus"]) step.addEventListener(kind, () => light(step, true));
      for (const kind of ["mouseleave", "blur"]) step.addEventListener(kind, () => { light(step, false); step.classList.remove("quiet"); });
      step.tabIndex = at === 0 ? 0 : -1;
      step.addEventListener("focus", () => { for (const one of all) one.tabIndex = one === step ? 0 : -1; });
      step.addEventListener("keydown", (event) => {
        if (event.target !== step || event.ctrlKey || event.altKey || event.metaKey) return;
        const moves = {
          ArrowDown: () => all[at + 1], ArrowUp: () => all[at - 1], Home: () => all[0], End: () => all[all.length - 1],
          ArrowLeft: () => beside(all, at, -1), ArrowRight: () => beside(all, at, 1),
        };
        if (event.key === "Escape") { step.classList.add("quiet"); return; }
        if (!moves[event.key]) return;
        event.preventDefault();
        const next = moves[event.key]();
        if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
      });
    });
  };

  const search_box = () => {
    const field = make("input", { type: "search", placeholder: "search the steps", ariaLabel: "search the steps" });
    const told = make("span", { ariaLive: "polite" });
    let hits = [], now = -1;
    const show = () => {
      for (const hit of hits) hit.classList.remove("now");
      if (now >= 0) { hits[now].classList.add("now"); reveal(hits[now]); }
      told.textContent = field.value.trim() === "" ? "" : hits.length === 0 ? "nothing found" : `${now < 0 ? "" : now + 1 + " of "}${hits.length}`;
    };
    field.addEventListener("input", () => {
      for (const hit of hits) hit.classList.remove("hit", "now");
      const wanted = field.value.trim().toLowerCase();
      now = -1;
      hits = wanted === "" ? [] : Array.from(document.querySelectorAll(".step, .step-row, .pair:not(.heads), .frames li, ul.facts li"))
        .filter((one) => one.textContent.toLowerCase().includes(wanted));
      for (const hit of hits) hit.classList.add("hit");
      show();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { field.value = ""; field.dispatchEvent(new Event("input")); }
      if (event.key !== "Enter" || hits.length === 0) return;
      now = (now + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
      show();
    });
    return [field, told];
  };
  const zoom_buttons = () => {
    let size = 100;
    const told = make("button", { type: "button", textContent: "100 %", title: "back to 100 %" });
    const set = (to) => {
      size = Math.min(250, Math.max(40, to));
      told.textContent = size + " %";
      for (const one of document.querySelectorAll(".timeline")) one.style.zoom = size / 100;
    };
    told.onclick = () => set(100);
    const button = (text, label, by) => make("button", { type: "button", textContent: text, ariaLabel: label, onclick: () => set(size + by) });
    return [button("−", "smaller", -20), told, button("+", "larger", 20)];
  };
  const slider = (compare) => {
    const section = compare.closest("section");
    const pairs = Array.from(compare.querySelectorAll(".pair[data-failing]"));
    if (pairs.length === 0) return;
    const range = make("input", { type: "range", min: 0, max: pairs.length, value: 0, ariaLabel: "go through the steps of both executions" });
    const told = make("span", { textContent: "slide through the steps" });
    const reached = (side, at) => {
      let last = 0;
      for (let i = 0; i <= at; ++i) if (pairs[i].dataset[side] !== "") last = Number(pairs[i].dataset[side]);
      return last;
    };
    const chips = (side, step) => {
      for (const cell of section.querySelectorAll(".values td")) {
        let current = null;
        for (const chip of cell.querySelectorAll(`.chip[data-side=${side}]`)) {
          chip.classList.remove("current");
          if (Number(chip.dataset.at) <= step) current = chip;
        }
        if (current) current.classList.add("current");
      }
    };
    range.addEventListener("input", () => {
      const at = Number(range.value) - 1;
      for (const one of section.querySelectorAll(".current")) one.classList.remove("current");
      if (at < 0) { told.textContent = "slide through the steps"; return; }
      const failing = reached("failing", at), passing = reached("passing", at);
      pairs[at].classList.add("current");
      reveal(pairs[at]);
      const card = section.querySelector(`.step[data-step="${pairs[at].dataset.failing}"]`);
      if (card) card.classList.add("current");
      chips("failing", failing);
      chips("passing", passing);
      told.textContent = `step ${failing} here, step ${passing} there`;
    });
    compare.after(make("div", { className: "slider" }, range, told));
  };

  for (const list of document.querySelectorAll(".steps")) by_keys(list);
  for (const compare of document.querySelectorAll(".compare")) slider(compare);
  if (document.querySelector(".timeline"))
    document.querySelector("main").prepend(make("div", { className: "tools" }, ...search_box(), make("span", { textContent: "zoom" }), ...zoom_buttons()));
})();
)js";

}  // namespace raddle
