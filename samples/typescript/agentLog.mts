// Logging for an ACP agent. Copy this file into yours.
type Asked = { readonly level?: string } | null;
type Capabilities = {
  readonly logging?: Asked;
  readonly _meta?: { readonly 'agent-logs'?: { readonly logging?: Asked } } | null;
};
type Fields = { readonly sessionId?: string; readonly logger?: string; readonly data?: object };

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency', 'off'];

/** @param notify sends a JSON-RPC notification to the client */
export function createLog(notify: (method: string, params: object) => void) {
  let method = 'log';
  let threshold = 'off'; // until the client asks for logs
  /** Handles `logging/setLevel`. A missing or unknown level means info. */
  const setLevel = (level?: string) => void (threshold = level && levels.includes(level) ? level : 'info');
  return {
    setLevel,
    /** Reads the `clientCapabilities` of `initialize`: the extension's form, or that of the logging proposal. */
    begin({ logging, _meta }: Capabilities): void {
      const ours = _meta?.['agent-logs']?.logging;
      method = ours ? '_agent-logs/log' : 'log';
      const asked = ours ?? logging;
      setLevel(asked ? asked.level : 'off');
    },
    send(level: string, message: string, fields: Fields = {}): void {
      if (levels.indexOf(level) < levels.indexOf(threshold)) return;
      notify(method, { level, message, timestamp: new Date().toISOString(), ...fields });
    },
  };
}
