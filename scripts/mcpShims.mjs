// @ts-check
// Replaces `@modelcontextprotocol/client/_shims`, whose JSON Schema validator would be a third of the library.

/** Never instantiated, because our client brings its own. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This bundle has no JSON Schema validator.');
  }
}

/** Only browsers have cross-origin checks. */
export const CORS_IS_POSSIBLE = false;
