import type { WireBodies } from '../runLog/wire/wireBodies';
import { pageRows } from '../runLog/wire/wirePage';
import { WireRows } from '../runLog/wire/wireRows';
import type { SharedMessage } from '../share/sharedRun';

/** The messages of a shared run, with their bodies. */
export class SharedRows extends WireRows {
  private readonly bodies: WireBodies[] = [];

  constructor() {
    super(Infinity);
  }

  append({ message, answer, carried, ...fields }: SharedMessage): void {
    const { seq, took, status, code, answerSize, answerSeq } = fields;
    const row = this.add({ ...fields, carried: { kind: '', about: carried } }, seq);
    this.bodies[row] = { ...(message !== undefined && { message }), ...(answer !== undefined && { answer }) };
    const page = this.settle(row, status, fields.at + (took ?? 0), answerSeq ?? seq);
    if (!page) return;
    page.answerSizes[row % pageRows] = answerSize;
    if (code !== undefined) page.setCode(row % pageRows, code);
  }

  bodiesOf(row: number): WireBodies {
    return this.bodies[row] ?? {};
  }
}
