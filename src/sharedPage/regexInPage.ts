import type { RegexAnswer, RegexThread, ThreadEvents } from '../store/regexRunner';
import { regexProgram, RegexThreads } from '../store/regexRunner';

const program = regexProgram('self', (bytes) => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (start, end) => decoder.decode(bytes.subarray(start, end));
});

/** Of Chromium; the page's policy demands them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Runs expressions in workers whose program is in the page: a file has nothing beside it. */
export function regexInPage(types: TrustedTypes | undefined): RegexThreads {
  const policy = types?.createPolicy('agent-logs', { createScriptURL: (url) => url });
  return new RegexThreads((events) => startWorker(events, (url) => policy?.createScriptURL(url) ?? url));
}

function startWorker({ onAnswer, onEnd }: ThreadEvents, trusted: (url: string) => string): RegexThread {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(trusted(url));
  worker.onmessage = ({ data }: MessageEvent<RegexAnswer>) => onAnswer(data);
  worker.onerror = ({ message }) => onEnd(new Error(message));
  return {
    post: (request, transfer) => worker.postMessage(request, [...transfer]),
    terminate: () => {
      worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
}
