// @ts-check
/** @typedef {import('./fakeAgent.mjs').FakeAgent} FakeAgent */

/** The eight levels and off, in order. */
export const thresholds = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency', 'off'];

/**
 * The level that a client declared in the params of `initialize`; `off` if it declared none.
 * @param {Record<string, unknown>} params
 * @returns {string}
 */
export function askedLevel(params) {
  const { clientCapabilities } = /** @type {{ clientCapabilities?: { logging?: { level?: string } } }} */ (params);
  return clientCapabilities?.logging ? (clientCapabilities.logging.level ?? 'info') : 'off';
}

/**
 * Logs one message at each enabled level.
 * @param {FakeAgent} agent
 * @param {string} threshold
 */
export function logAll(agent, threshold) {
  for (const level of thresholds.slice(thresholds.indexOf(threshold))) {
    if (level !== 'off') agent.log(level, `This is ${level}`, { sessionId: `fake-${agent.sessions}`, logger: 'fake' });
  }
}
