/**
 * Signatures of thoughts and calls, which a caller sends back unchanged and only the service that made them can read. Within C's thinking blocks they
 * name their maker, so that after a switch of models nobody gets another's: what a translated reply thought carries this mark, and the routes that
 * lead to Anthropic take such blocks out (see `foreignThoughts`).
 */
export const signatureMark = 'agent-workbench.';

const googleMark = `${signatureMark}google.`;

/** The signature of a thinking block of C: Gemini's, or none. */
export function markedSignature(google: string | undefined): string {
	return google === undefined ? `${signatureMark}none` : googleMark + google;
}

/** Gemini's signature, out of that of a thinking block of C. Undefined for what another service signed. */
export function googleSignature(signature: unknown): string | undefined {
	return typeof signature === 'string' && signature.startsWith(googleMark) ? signature.slice(googleMark.length) : undefined;
}
