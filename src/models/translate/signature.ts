/**
 * Start of our signatures in the thinking blocks of messages (C). Callers send signatures back unchanged, and only the service that made
 * them can read them. The mark prevents a service from getting another's signature after a switch of models. Routes to Anthropic remove
 * such blocks (see `foreignThoughts.ts`).
 */
export const signatureMark = 'agent-workbench.';

const googleMark = `${signatureMark}google.`;

/** Returns the signature for a thinking block of a message (C): Gemini's, or none. */
export function markSignature(google: string | undefined): string {
	return google === undefined ? `${signatureMark}none` : googleMark + google;
}

/** Returns Gemini's signature from that of a message's thinking block (C); undefined for signatures of other services. */
export function readGoogleSignature(signature: unknown): string | undefined {
	return typeof signature === 'string' && signature.startsWith(googleMark) ? signature.slice(googleMark.length) : undefined;
}
