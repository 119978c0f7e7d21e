"""The look of the HTML report."""

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --back: #fff;
  --card: #f6f8fa; --one: #0b61c4; --two: #b35900; --three: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d;
  --back: #0d1117; --card: #161b22; --one: #6cb0ff; --two: #f0a04b; --three: #56d364; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
p, li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; font-size: .85rem; color: var(--soft); background: var(--card); }
tbody th { font-weight: 500; }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--back); }
thead th:first-child { background: var(--card); }
tbody tr:last-child > * { font-weight: 650; border-bottom: 0; }
td small { display: block; font-size: .72rem; font-weight: 400; color: var(--soft); }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
figure { margin: 0; padding: .8rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); }
figcaption { font-weight: 600; margin-bottom: .4rem; }
svg { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
text { fill: var(--ink); }
text.tick { fill: var(--soft); font-size: 12px; }
text.mid { text-anchor: middle; }
text.end { text-anchor: end; }
line.grid { stroke: var(--line); }
line.bar { stroke: var(--one); stroke-width: 3; opacity: .45; stroke-linecap: round; }
circle.dot { fill: var(--one); }
circle.before { fill: var(--back); stroke: var(--two); stroke-width: 2; }
polyline { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
polyline.c0 { stroke: var(--one); } polyline.c1 { stroke: var(--two); } polyline.c2 { stroke: var(--three); }
text.c0 { fill: var(--one); } text.c1 { fill: var(--two); } text.c2 { fill: var(--three); }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.sides { display: grid; gap: 1rem; margin-top: .6rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.sides p { margin: .2rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
"""
