import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** The three streams between the client and the tap. */
export interface StandardStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** The streams of this process, in a form that can be closed. */
export function standardStreams(): StandardStreams {
  return { stdin: process.stdin, stdout: output(1), stderr: output(2) };
}

/** `process.stdout` can't be closed, so a pipe gets a new stream. `process.stdout` must not be used then. */
function output(fd: 1 | 2): Writable {
  if (isPipe(fd)) return new Socket({ fd, readable: false, writable: true });
  return fd === 1 ? process.stdout : process.stderr;
}

export function isPipe(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isFIFO() || stat.isSocket();
}
