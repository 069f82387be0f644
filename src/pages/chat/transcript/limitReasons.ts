/** Finish reasons of all protocols that mean that a token limit cut off the reply (wire facts 2.1, 3 and 4.1). */
export const limitReasons: ReadonlySet<string> = new Set(['max_tokens', 'MAX_TOKENS', 'length']);
