import { boundedJson } from '../../log/boundedJson';
import { errorWords } from '../errorWords';
import { objectOf, textOf } from '../json';
import type { RpcError } from './seen';

/** Reads the `error` of an answer, in whatever form; `undefined` where there is none. */
export function rpcError(error: unknown): RpcError | undefined {
  if (error === undefined || error === null) return undefined;
  const { code, message, data } = objectOf(error);
  return {
    code: typeof code === 'number' ? code : undefined,
    message: errorWords({ message: textOf(message) ?? boundedJson(error, 500), data }),
    data,
  };
}
