import { isObject } from '../../../text/json';
import { parsedJson } from '../../../text/jsonText';
import type { ToThread } from './threadMessage';

/** More than this is no probe, in bytes. */
const maxRequest = 64 * 1024;

/**
 * Recognizes runs in which the client only asks for `server/discover` and then ends the server: official MCP clients look that way which protocol the
 * server speaks, and then start it again.
 */
export class Probe {
  private readonly sent: Uint8Array[] = [];
  private bytes = 0;
  private isMore = false;
  private isEnded = false;

  see(message: ToThread): void {
    if (message.type === 'skipped') this.isMore = true;
    if (message.type === 'event') this.isEnded ||= message.event.ev === 'stdin-close' || message.event.ev === 'signal';
    if (message.type === 'event') this.isMore ||= message.event.ev === 'exit' && !this.isEnded;
    if (message.type !== 'chunk' || message.dir !== 'c2a' || this.isMore) return;
    this.bytes += message.bytes.length;
    this.isMore = this.bytes > maxRequest;
    this.sent.push(message.bytes);
  }

  /** Whether the run that has ended was one. */
  get isAll(): boolean {
    if (this.isMore || !this.isEnded) return false;
    const request = parsedJson(Buffer.concat(this.sent).toString('utf8').trim());
    return isObject(request) && request['method'] === 'server/discover';
  }
}
