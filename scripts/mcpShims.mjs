// @ts-check
// Stands in for `@modelcontextprotocol/client/_shims`, a third of whose library would be a JSON Schema validator that we do without.

/** Never made: our client brings its own. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This bundle has no JSON Schema validator.');
  }
}

/** Only browsers have cross-origin checks. */
export const CORS_IS_POSSIBLE = false;
