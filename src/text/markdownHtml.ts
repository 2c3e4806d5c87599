/**
 * HTML of the Markdown that reports are written in: headings, paragraphs, lists of up to two levels, `**bold**` and code. A text of any origin
 * stays text: there are no pictures or HTML, so nothing is ever loaded.
 * @param links what a click on code opens, by that code; there are no others
 */
export function markdownHtml(markdown: string, links: ReadonlyMap<string, string> = new Map()): string {
  const html: string[] = [];
  let open = 0;
  const level = (wanted: number): void => {
    for (; open > wanted; open--) html.push('</li></ul>');
  };
  for (const line of markdown.split('\n')) {
    const [, indent = '', item] = /^( *)- (.*)$/.exec(line) ?? [];
    const [, marks = '', heading] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
    if (item !== undefined) {
      const wanted = indent === '' ? 1 : 2;
      level(wanted);
      if (open === wanted) html.push('</li><li>');
      else for (; open < wanted; open++) html.push('<ul><li>');
      html.push(inline(item, links));
    } else if (open > 0 && line.startsWith('  ')) {
      html.push('<br>', inline(line.trim(), links));
    } else {
      level(0);
      if (heading !== undefined) html.push(`<h${marks.length}>${inline(heading, links)}</h${marks.length}>`);
      else if (line.trim() !== '') html.push(`<p>${inline(line, links)}</p>`);
    }
  }
  level(0);
  return html.join('');
}

/** An escaped character, code, or text in bold. */
const mark = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|\*\*([^*]+)\*\*/g;

function inline(text: string, links: ReadonlyMap<string, string>): string {
  let html = '';
  let read = 0;
  for (const { 0: whole, 1: literal, 3: code, 4: bold, index } of text.matchAll(mark)) {
    html += escaped(text.slice(read, index));
    if (literal !== undefined) html += escaped(literal);
    else if (code !== undefined) html += linked(unpadded(code), links);
    else html += `<strong>${escaped(bold ?? '')}</strong>`;
    read = index + whole.length;
  }
  return html + escaped(text.slice(read));
}

function linked(code: string, links: ReadonlyMap<string, string>): string {
  const html = `<code>${escaped(code)}</code>`;
  const link = links.get(code);
  return link === undefined ? html : `<a href="${escaped(link)}">${html}</a>`;
}

/** Code that begins or ends with a backtick has a space around it. */
function unpadded(code: string): string {
  return /^ (?! *$)/.test(code) && code.endsWith(' ') ? code.slice(1, -1) : code;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
