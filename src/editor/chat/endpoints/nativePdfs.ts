import type { Turn } from '#pages/chat/transcript/transcript.ts';

/** Returns the turns without the texts of PDFs, so that they are sent as files to models that read tables, figures and scans. */
export function dropPdfTexts(turns: readonly Turn[]): readonly Turn[] {
	return turns.map(turn => ({
		...turn,
		// endpoints send a document without text as a file
		parts: turn.parts.map(part => (part.kind === 'document' && part.mimeType === 'application/pdf' ? { ...part, text: '' } : part)),
	}));
}
