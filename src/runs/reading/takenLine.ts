import type { WireMessage } from '../../wire/wireEvent';

/** A message that was taken from its bytes, for those who look at the wire: decoded when they do. */
export class TakenLine implements WireMessage {
  readonly dir = 'a2c';

  constructor(
    readonly t: number,
    private readonly source: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get line(): string {
    return this.source.toString('utf8', this.start, this.end);
  }
}
