import { escapeMarkup } from './escape-markup.js';

/** Parts of a card, so that the same words become Markdown for the hub and a page for a browser. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'plot'; readonly file: string; readonly alt: string; readonly svg: string };

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'paragraph':
      return block.text;
    case 'plot':
      return `![${block.alt}](${block.file})`;
    case 'table': {
      const lines = [block.head, block.head.map(() => '---'), ...block.rows];
      return lines.map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
    }
  }
}

export function toMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block) => `${markdownOf(block)}\n`).join('\n');
}

/** Code spans are the only marks that the card's sentences use. */
const inline = (text: string): string => escapeMarkup(text).replace(/`([^`]+)`/g, '<code>$1</code>');

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${inline(block.text)}</h2>`;
    case 'paragraph':
      return `<p>${inline(block.text)}</p>`;
    case 'plot':
      return `<figure>${block.svg}</figure>`;
    case 'table': {
      const head = block.head.map((text) => `<th>${inline(text)}</th>`).join('');
      const rows = block.rows.map(
        (row) => `<tr>${row.map((text) => `<td>${inline(text)}</td>`).join('')}</tr>`,
      );
      return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
    }
  }
}

export function toHtml(title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title><link rel="icon" href="data:,">
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2733;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid #d5dde4}
table{border-collapse:collapse}th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #e6ebef;vertical-align:top}
td code,td:last-child{white-space:nowrap}td:first-child:last-child,.wide table td:nth-child(2):last-child{white-space:normal}
.wide{overflow-x:auto}pre{background:#f3f6f8;padding:.8rem;overflow-x:auto}code{font-size:.92em}
figure{margin:1rem 0}svg{max-width:100%;height:auto}
</style></head><body><h1>${escapeMarkup(title)}</h1>
${blocks.map(htmlOf).join('\n')}
</body></html>
`;
}
