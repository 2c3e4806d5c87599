import { Worker } from 'node:worker_threads';
import type { RegexAnswer, RegexThread, ThreadEvents } from '../store/regexRunner';
import { regexProgram, RegexThreads, RegexTooSlow } from '../store/regexRunner';

const program = regexProgram("require('node:worker_threads').parentPort", (bytes) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (start, end) => buffer.toString('utf8', start, end);
});

/** Runs expressions in a worker thread, so that they don't block the extension host. */
export class RegexWorker extends RegexThreads {
  /** @param limit for a batch, in milliseconds */
  constructor(limit?: number) {
    super(workerThread, limit);
  }
}

function workerThread({ onAnswer, onEnd }: ThreadEvents): RegexThread {
  const worker = new Worker(program, { eval: true });
  worker.unref();
  worker.on('message', (answer: RegexAnswer) => onAnswer(answer));
  worker.on('error', onEnd);
  worker.on('exit', () => onEnd(new RegexTooSlow('Stopped.')));
  return {
    post: (request, transfer) => worker.postMessage(request, [...transfer]),
    terminate: () => void worker.terminate(),
  };
}
