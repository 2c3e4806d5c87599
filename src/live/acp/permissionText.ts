import { indentedJson, jsonText } from '../../text/jsonText';
import { withEscapes } from '../../text/text';
import type { PermissionRequest } from './permissions';

/** Width of a picker, in columns. East Asian characters take two. */
const titleColumns = 40;
const inputColumns = 50;
const rowColumns = 60;
const maxRows = 8;
/** Narrow enough that an editor shows whole lines: nothing may be hidden beyond its right edge. */
const documentColumns = 80;
/** The picker covers the first lines of the editor. */
const behindPicker = '\n'.repeat(7);

/** A permission request as text, with invisible characters escaped. */
export interface PermissionText {
  readonly title: string;
  /** The tool's input as JSON; empty if there is none. */
  readonly input: string;
  /** The rows of title and input that fit into a picker; empty if the header has room for both. */
  readonly rows: readonly string[];
  /** Whether the picker shows the whole request. */
  readonly isWhole: boolean;
  /** Writes the whole request; `undefined` if it is nested too deeply to serialize. */
  readonly document: (() => string) | undefined;
}

type Shown = Pick<PermissionRequest, 'title' | 'description' | 'input'>;

export function permissionText(request: Shown): PermissionText {
  const { description } = request;
  const title = withEscapes(description === undefined ? request.title : `${request.title} (${description})`);
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

function documentOf({ title, description, input }: Shown): string {
  const json = withEscapes(indentedJson({ title, description, input }) ?? '');
  return behindPicker + [...wrapped(json, documentColumns)].join('\n');
}

/** Wraps text into rows that aren't blank, at most `max` of them. */
function rowsOf(text: string, columns: number, max: number): readonly string[] {
  const rows: string[] = [];
  for (const row of wrapped(text, columns)) {
    if (rows.length === max) break;
    if (row.trim() !== '') rows.push(row);
  }
  return rows;
}

/** Breaks lines at `columns`. */
function* wrapped(text: string, columns: number): Iterable<string> {
  let row = '';
  let width = 0;
  for (const char of text) {
    const charWidth = char === '\n' ? 0 : char < '\u1100' ? 1 : 2;
    if (char === '\n' || width + charWidth > columns) {
      yield row;
      row = '';
      width = 0;
    }
    if (char !== '\n') row += char;
    width += charWidth;
  }
  yield row;
}
