/**
 * Start of our signatures in C's thinking blocks. Callers send signatures back unchanged, and only the service that made them can read
 * them. The mark names the maker, so that no service gets another's signature after a switch of models. Routes to Anthropic remove such
 * blocks (see `foreignThoughts.ts`).
 */
export const signatureMark = 'agent-workbench.';

const googleMark = `${signatureMark}google.`;

/** Returns the signature for a thinking block of C: Gemini's, or none. */
export function markSignature(google: string | undefined): string {
	return google === undefined ? `${signatureMark}none` : googleMark + google;
}

/** Returns Gemini's signature from that of a thinking block of C; undefined for signatures of other services. */
export function readGoogleSignature(signature: unknown): string | undefined {
	return typeof signature === 'string' && signature.startsWith(googleMark) ? signature.slice(googleMark.length) : undefined;
}
