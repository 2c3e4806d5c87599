import type { Database } from '../database';
import type { SessionRows } from '../savedDatabase';
import type { SavedForm } from '../savedForm';
import { deletion } from './deletion';
import { OpencodeReader, saved as opencode } from '../opencode/saved';
import { databaseOf } from '../opencode/database';
import type { KeyedLine } from '../reading/saved/keyedLine';

const name = 'Kilo Code';
const database = databaseOf({
  file: 'kilo.db',
  otherFiles: /^kilo-[\w.-]{1,100}\.db$/,
  fileVariable: 'KILO_DB',
});

/** Kilo Code: OpenCode's rows in a database of its own. The line of the session says whose it is. */
export const saved: SavedForm = {
  ...opencode,
  tried: { version: '7.7' },
  recognises: (line) => line['type'] === 'opencode.session' && line['agent'] === name,
  reader: () => new OpencodeReader(name),
  roots: [
    ['XDG_DATA_HOME', 'kilo'],
    ['~', '.local', 'share', 'kilo'],
  ],
  programs: ['kilo'],
  waits: { ...opencode.waits, tools: { ...opencode.waits.tools, suggest: 'answer' } },
  deletion,
  database: { ...database, rows: (id) => new KiloRows(database.rows(id)) },
};

class KiloRows implements SessionRows {
  constructor(private readonly rows: SessionRows) {}

  get isAtEnd(): boolean {
    return this.rows.isAtEnd;
  }

  get bytes(): number {
    return this.rows.bytes;
  }

  async read(of: Database): Promise<readonly KeyedLine[] | undefined> {
    return (await this.rows.read(of))?.map((one) =>
      one.line['type'] === 'opencode.session' ? { ...one, line: { ...one.line, agent: name } } : one,
    );
  }

  isChanged(of: Database): Promise<boolean> {
    return this.rows.isChanged(of);
  }
}
