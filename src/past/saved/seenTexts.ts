import { createHash } from 'node:crypto';
import { BoundedMap } from '../../text/boundedMap';

/** Maximum number of remembered texts, about 100 bytes each. */
const maxSeen = 100_000;

/** Remembers texts by their hashes: the last one of each key. */
export class SeenTexts {
  private readonly marks = new BoundedMap<string, string>(maxSeen);

  /** Remembers a text. Answers whether another one, or none, was remembered for its key. @param key by default, the text */
  isNew(text: string, key = text): boolean {
    const mark = hashOf(text);
    const place = key === text ? mark : hashOf(key);
    if (this.marks.get(place) === mark) return false;
    this.marks.set(place, mark);
    return true;
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
