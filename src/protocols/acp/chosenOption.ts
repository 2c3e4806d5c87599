import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { ownHead } from '../../text/ownText';
import { oneLine } from '../../text/text';
import { inputDigest } from '../../work/tools/inputDigest';

/** An option of a permission request, as kept until the answer. */
export interface PermissionOption {
  /** Stands for its ID. */
  readonly key: string;
  /** `allow_once`, `reject_always`; empty if the agent didn't say. */
  readonly kind: string;
  readonly name: string;
}

/** What the user answered. `option` is absent if the answer names none that is known: whether it allows anything is unknown, too. */
export type PermissionAnswer =
  | { readonly type: 'selected'; readonly optionId: string | undefined; readonly option: PermissionOption | undefined }
  | { readonly type: 'other'; readonly outcome: string | undefined };

/** Limits for one request, which may stay open for a long time. */
const maxOptions = 100;
const maxKind = 40;
const maxName = 200;
const maxId = 200;

/** The options in the parameters of `session/request_permission`. */
export function offeredOptions(params: JsonObject): readonly PermissionOption[] {
  const options = arrayOf(params['options']).slice(0, maxOptions).map(objectOf);
  return options.map(({ optionId, name, kind }) => ({
    key: keyOf(optionId),
    kind: oneLine(textOf(kind) ?? '', maxKind),
    name: oneLine(textOf(name) ?? '', maxName),
  }));
}

/** Reads the result of `session/request_permission`. */
export function permissionAnswer(result: JsonObject, offered: readonly PermissionOption[]): PermissionAnswer {
  const { outcome, optionId } = objectOf(result['outcome']);
  if (outcome !== 'selected') return { type: 'other', outcome: textOf(outcome) };
  const id = textOf(optionId);
  const key = keyOf(optionId);
  const [option, ...more] = id === undefined ? [] : offered.filter((one) => one.key === key);
  const isClear = more.every(({ kind }) => kind === option?.kind);
  return { type: 'selected', optionId: id && ownHead(id, maxId), option: isClear ? option : undefined };
}

/** Long IDs may differ only at their ends. */
function keyOf(optionId: unknown): string {
  const id = textOf(optionId) ?? '';
  return id.length <= maxId ? ownHead(id, maxId) : `${ownHead(id, maxId)} ${inputDigest(id) ?? ''}`;
}
