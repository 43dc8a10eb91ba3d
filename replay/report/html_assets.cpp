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

.timeline-frame { overflow: visible; }
.timeline-frame.wide { overflow-x: auto; padding-bottom: 8px; }
.timeline { position: relative; font-size: 13.5px; line-height: 18px; }
.t0 { --own: var(--t0); } .t1 { --own: var(--t1); } .t2 { --own: var(--t2); } .t3 { --own: var(--t3); } .t4 { --own: var(--t4); } .t5 { --own: var(--t5); }
.l0 { --lock: var(--l0); } .l1 { --lock: var(--l1); } .l2 { --lock: var(--l2); } .l3 { --lock: var(--l3); } .l4 { --lock: var(--l4); } .l5 { --lock: var(--l5); }
.lane { position: absolute; border-radius: 10px; background: color-mix(in srgb, var(--own) 5%, transparent); }
.lane-head { position: absolute; padding: 7px 12px; border-bottom: 2px solid var(--own); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--soft); }
.lane-head b { color: var(--own); font-size: 15px; margin-right: 4px; }
.fold { position: absolute; color: var(--soft); font-size: 12.5px; line-height: 20px; text-align: center; background: repeating-linear-gradient(90deg, var(--line) 0 6px, transparent 6px 12px) center / 100% 1px no-repeat; }
.fold { text-shadow: 0 0 5px var(--card), 0 0 5px var(--card), 0 0 5px var(--card), 0 0 5px var(--card), 0 0 3px var(--card), 0 0 3px var(--card); }
.bar { position: absolute; border-radius: 6px; background: var(--lock); color: #fff; overflow: hidden; writing-mode: vertical-rl; font-size: 11px; line-height: 18px; white-space: nowrap; text-overflow: ellipsis; padding: 6px 0; }
.bar.kept { border-bottom-left-radius: 0; border-bottom-right-radius: 0; }
.bar.shared { background: repeating-linear-gradient(45deg, var(--lock) 0 6px, color-mix(in srgb, var(--lock) 72%, #000) 6px 9px); }
.arrows { position: absolute; left: 0; top: 0; pointer-events: none; overflow: visible; }
.arrows path { fill: none; stroke: var(--arrow); stroke-width: 1.6; }
.arrows .tip { fill: var(--arrow); stroke: none; }
.order { opacity: 0.75; }
.wait path { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 5 4; stroke-linejoin: round; }
.wait .tip { fill: var(--bad); stroke: none; }
.lit path { stroke: var(--accent); stroke-width: 2.6; }
.lit .tip { fill: var(--accent); }
.lit { opacity: 1; }
.steps { list-style: none; margin: 0; padding: 0; }
.step { position: absolute; background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--own); border-radius: 8px; padding: 6px 10px; cursor: default; }
.step:hover, .step:focus { border-color: var(--own); z-index: 20; }
.step > .deed, .step > .source, .place > span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.step > .place { display: flex; }
.step > .deed { font-weight: 550; white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.place { color: var(--soft); font-size: 12px; }
.source { font-size: 12px; color: var(--ink); opacity: 0.85; }
.number { position: absolute; top: 6px; text-align: right; color: var(--soft); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.step.pending { border-style: dashed; border-color: var(--bad); border-left: 3px solid var(--bad); background: color-mix(in srgb, var(--bad-soft) 55%, var(--card)); }
.step.decisive { box-shadow: 0 0 0 2px var(--accent); }
.badges { position: absolute; top: -21px; left: 0; display: flex; gap: 6px; }
.badge { font-size: 11.5px; line-height: 17px; padding: 0 8px; border-radius: 99px; white-space: nowrap; }
.preempts { background: var(--doubt-soft); color: var(--doubt); }
.decides { background: var(--accent-soft); color: var(--accent); }
.more { display: none; position: absolute; left: -3px; top: calc(100% + 5px); width: max-content; min-width: 100%; max-width: 620px; max-height: 420px; overflow: auto; background: var(--card); border: 1px solid var(--own); border-radius: 10px; box-shadow: var(--shadow); padding: 10px 14px; }
.last-lane .more { left: auto; right: -3px; }
.step:hover .more, .step:focus .more, .step:focus-within .more { display: block; }
.quiet .more { display: none !important; }

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

.compare { display: grid; gap: 8px 22px; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); }
.compare h4 { margin: 0 0 6px; font-size: 14px; }
table.list { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 1.4; }
table.list td { padding: 4px 8px; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
table.list td:first-child { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; width: 42px; }
table.list tr.turned td { background: var(--accent-soft); color: inherit; }
table.list tr.same td { opacity: 0.6; }
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
.timeline-frame.wide .more { position: fixed; left: 10px; right: 10px; top: auto; bottom: 10px; width: auto; min-width: 0; max-width: none; max-height: 45vh; }
@media (max-width: 1180px) { .more, .last-lane .more { position: fixed; left: 10px; right: 10px; top: auto; bottom: 10px; width: auto; min-width: 0; max-width: none; max-height: 45vh; } .timeline-frame { overflow-x: auto; padding-bottom: 8px; } header, nav, footer { padding: 0 20px; } header { padding-top: 24px; } section { padding: 20px 16px; } main { padding: 0 8px; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  @page { size: A4 landscape; margin: 11mm; }
  body { background: #fff; font-size: 11pt; }
  main, header, nav, footer { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 18px 0; break-before: auto; }
  .more, .hint, .skip { display: none !important; }
  .bar, .lane, .step, .snippet, .verdict, .badge, .decisive-switch, .not-proven, tr { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .step, .stacks > div, tr, .decisive-switch, .not-proven { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .timeline-frame { overflow: visible; zoom: 0.88; }
  pre.text { max-height: none; }
}
)css";

// Arrow keys move from step to step, Escape closes the details of a step, and pointing at a step highlights its arrows.
const char* const html_script = R"js(
(() => {
  "use strict";
  const steps = (list) => Array.from(list.querySelectorAll(".step"));
  const light = (step, on) => {
    const picture = step.closest(".timeline");
    for (const arrow of picture.querySelectorAll(".arrows g"))
      if (arrow.dataset.from === step.id || arrow.dataset.to === step.id) arrow.classList.toggle("lit", on);
  };
  const beside = (all, at, direction) => {
    const lane = Number(all[at].dataset.lane) + direction;
    const there = all.filter((one) => Number(one.dataset.lane) === lane);
    const distance = (one) => Math.abs(one.offsetTop - all[at].offsetTop);
    return there.sort((a, b) => distance(a) - distance(b))[0];
  };
  for (const list of document.querySelectorAll(".steps")) {
    const all = steps(list);
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
  }
})();
)js";

}  // namespace raddle
