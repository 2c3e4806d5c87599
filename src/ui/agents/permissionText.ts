import { indentedJson, jsonText } from '../../log/jsonText';
import { withEscapes } from '../../log/text';
import type { PermissionRequest } from '../../runs/acp/permissions';

/** What a picker has room for, in columns; characters of East Asia take two. */
const titleColumns = 40;
const inputColumns = 50;
const rowColumns = 60;
const maxRows = 8;
/** Editors don't draw the end of longer lines. */
const maxLine = 5000;
/** The picker stays open over the first lines of the editor. */
const behindPicker = '\n'.repeat(7);

/** What an agent asks a permission for, with nothing hidden in it. */
export interface PermissionText {
  readonly title: string;
  /** What the tool is given, as JSON; empty if there is nothing. */
  readonly input: string;
  /** As many rows of both as a picker has room for; none if they fit into its head. */
  readonly rows: readonly string[];
  /** Whether the picker shows all of it. */
  readonly isWhole: boolean;
  /** Writes all of it; `undefined` if it is nested too deeply to be written. */
  readonly document: (() => string) | undefined;
}

export function permissionText(request: Pick<PermissionRequest, 'title' | 'input'>): PermissionText {
  const title = withEscapes(request.title);
  const json = request.input === undefined ? '' : jsonText(request.input);
  const input = withEscapes(json ?? '');
  const fits = rowsOf(title, titleColumns, 2).length <= 1 && rowsOf(input, inputColumns, 2).length <= 1;
  const rows = fits ? [] : rowsOf(`${title}\n${input}`, rowColumns, maxRows + 1);
  return {
    title,
    input,
    rows: rows.slice(0, maxRows),
    isWhole: json !== undefined && rows.length <= maxRows,
    document: json === undefined ? undefined : () => documentOf(request),
  };
}

function documentOf({ title, input }: Pick<PermissionRequest, 'title' | 'input'>): string {
  const json = indentedJson({ title, input }) ?? '';
  return behindPicker + withEscapes(json.replace(new RegExp(`[^\\n]{${maxLine}}`, 'gu'), '$&\n'));
}

/** A text as rows of so many columns, and no more than `max` of them. */
function rowsOf(text: string, columns: number, max: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  const end = (): void => {
    if (row.trim() !== '') rows.push(row);
    row = '';
    width = 0;
  };
  for (const char of text) {
    const charWidth = char < '\u1100' ? 1 : 2;
    if (char === '\n' || width + charWidth > columns) end();
    if (rows.length === max) return rows;
    if (char === '\n') continue;
    row += char;
    width += charWidth;
  }
  end();
  return rows;
}
