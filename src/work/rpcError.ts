import { boundedJson } from '../text/boundedJson';
import { cutJson } from '../text/cutJson';
import { errorWords } from './errorWords';
import { objectOf, textOf } from '../text/json';

/** The error of a response, with every field checked. */
export interface RpcError {
  readonly code: number | undefined;
  /** Includes the reason if only `data` has it. */
  readonly message: string;
  /** Small enough to keep and search. */
  readonly data: unknown;
}

/** Reads the `error` of a response, in whatever form. Returns `undefined` if there is none. */
export function rpcError(error: unknown): RpcError | undefined {
  if (error === undefined || error === null) return undefined;
  const { code, message, data } = objectOf(error);
  return {
    code: typeof code === 'number' ? code : undefined,
    message: errorWords({ message: textOf(message) ?? boundedJson(error, 500), data }),
    data: cutJson(data),
  };
}
