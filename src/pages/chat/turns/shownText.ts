import type { ChatPart } from '../transcript/transcript.ts';

/** What a turn says, without what stands between its texts. */
export function shownText(parts: readonly ChatPart[]): string {
	return parts.flatMap(part => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n');
}
