/** A record that a problem names. */
export interface EvidenceLink {
  readonly seq: number;
  readonly level: number;
  readonly at: number;
  readonly message: string;
}
