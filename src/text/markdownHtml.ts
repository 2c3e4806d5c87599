/**
 * HTML of the Markdown that reports are written in: headings, paragraphs, lists of up to two levels, `**bold**` and code. A text of any origin
 * stays text: there are no links, pictures or HTML, so nothing is ever loaded.
 */
export function markdownHtml(markdown: string): string {
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
      html.push(inline(item));
    } else if (open > 0 && line.startsWith('  ')) {
      html.push('<br>', inline(line.trim()));
    } else {
      level(0);
      if (heading !== undefined) html.push(`<h${marks.length}>${inline(heading)}</h${marks.length}>`);
      else if (line.trim() !== '') html.push(`<p>${inline(line)}</p>`);
    }
  }
  level(0);
  return html.join('');
}

/** An escaped character, code, or text in bold. */
const mark = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|\*\*([^*]+)\*\*/g;

function inline(text: string): string {
  let html = '';
  let read = 0;
  for (const { 0: whole, 1: literal, 3: code, 4: bold, index } of text.matchAll(mark)) {
    html += escaped(text.slice(read, index));
    if (literal !== undefined) html += escaped(literal);
    else if (code !== undefined) html += `<code>${escaped(unpadded(code))}</code>`;
    else html += `<strong>${escaped(bold ?? '')}</strong>`;
    read = index + whole.length;
  }
  return html + escaped(text.slice(read));
}

/** Code that begins or ends with a backtick has a space around it. */
function unpadded(code: string): string {
  return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
