import { isObject, objectOf } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';

/** Gemini CLI as an ACP agent. */
export const extension: AcpExtension = {
  // Other agents have this beside ACP's own field. The output is without thoughts, which it doesn't report here.
  usageOf({ quota }) {
    const counts = objectOf(quota)['token_count'];
    return isObject(counts) && 'input_tokens' in counts ? counts : undefined;
  },
};
