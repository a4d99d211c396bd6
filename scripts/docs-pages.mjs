// SPDX-License-Identifier: MIT
// Converts documents of docs/ to HTML pages, to which the page links. web/vite.config.ts adds them to the build. The pages load nothing from other servers.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** Documents for users; other documents are for developers. */
const pages = [
  'API.md',
  'CAPTURE.md',
  'CLI.md',
  'CHECK.md',
  'COMPARE.md',
  'FINDINGS.md',
  'FLEET.md',
  'LIVE.md',
  'MODEL.md',
  'PROBES.md',
  'REPORT.md',
  'TRACER.md',
  'TRUST.md',
  ...readdirSync(join(docs, 'formats')).map((name) => `formats/${name}`),
];

const addressOf = (page) => page.replace(/[^/]+$/, (name) => name.toLowerCase()).replace(/\.md$/, '.html');

/** Returns the anchor of a heading, in the form that GitHub uses: "Dump a buffer" -> "dump-a-buffer". */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns the address for a link on a page; null: it leads to a file that is not one of the pages, so the page shows only its text. */
function hrefOf(href, page) {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(dirname(page), path));
  if (!pages.includes(target)) return null;
  return `${posix.relative(posix.dirname(page), addressOf(target))}${anchor === undefined ? '' : `#${anchor}`}`;
}

function html(page, markdown) {
  const up = '../'.repeat(page.split('/').length);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = hrefOf(href, page);
        const words = this.parser.parseInline(tokens);
        return target === null ? words : `<a href="${escaped(target)}">${words}</a>`;
      },
      image: ({ text }) => escaped(text),
      html: ({ text }) => escaped(text),
    },
  });
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? basename(page, '.md');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} – Tonkopf</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}docs.css">
</head>
<body>
<nav><a href="${up}">Tonkopf</a></nav>
<main>
${marked.parse(markdown).replaceAll('<table>', '<div class="table" tabindex="0" role="region" aria-label="Table"><table>').replaceAll('</table>', '</table></div>')}</main>
</body>
</html>
`;
}

/** Returns the pages: a map from the path below the page to the HTML. */
export const documentation_pages = () =>
  new Map(pages.map((page) => [`docs/${addressOf(page)}`, html(page, readFileSync(join(docs, page), 'utf8'))]));
