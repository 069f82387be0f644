import type { ChatPart } from '../transcript/transcript.ts';

/** Joins the text parts of a turn. */
export function joinTextParts(parts: readonly ChatPart[]): string {
	return parts.flatMap(part => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n');
}
