/**
 * The style of the page of `GET /docs`.
 *
 * @module
 */

/** The style sheet. It contains no `<`, so it needs no escaping in a page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; display: grid; gap: 2rem; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; font-size: .9rem; }
nav p { font-weight: 600; margin: 1rem 0 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.2; }
h2 { margin-top: 3rem; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; scroll-margin-top: 1rem; }
code { font: .9em ui-monospace, monospace; background: var(--soft); border-radius: .2rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: .3rem; padding: .75rem; overflow: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.route { font-size: 1.1rem; }
.trial { margin-left: 1rem; font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
td p { margin: 0 0 .35rem; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
.choices { padding-left: 1.2rem; margin: 0; }
small { opacity: .75; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; max-height: none; } }
`;
