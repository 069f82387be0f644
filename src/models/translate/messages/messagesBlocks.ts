import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ContentBlock } from '#contract/text/messages.ts';

/**
 * Converts an image or a document to prompt parts: the file, preceded by its title and context, for which other services have no field.
 * Documents of text or blocks become their content.
 */
export function readFileParts(
	block: ContentBlock,
	at: number,
	j: number,
	lost: string[],
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
	const { title, context } = block;
	const source = block['source'] as Record<string, unknown> | undefined;
	if ((block['citations'] as { enabled?: unknown } | undefined)?.enabled === true) {
		lost.push(`messages.${at}.content.${j}.citations: ignored because other services don't support document citations`);
	}
	const isText = source?.['type'] === 'text' || source?.['type'] === 'content';
	const said = [
		...(typeof title === 'string' && (isText || typeof context === 'string') ? [`Document: ${title}`] : []),
		...(typeof context === 'string' ? [`Context: ${context}`] : []),
	];
	const about = said.length > 0 ? [{ type: 'text' as const, text: said.join('\n') }] : [];
	if (source?.['type'] === 'text') {
		return [...about, { type: 'text', text: String(source['data']) }];
	}
	if (source?.['type'] === 'content') {
		const { content } = source;
		const blocks: ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as ContentBlock[]);
		return [
			...about,
			...blocks.flatMap(inner =>
				inner.type === 'text' ? [{ type: 'text' as const, text: readBlockText(inner, at, j) }] : readFileParts(inner, at, j, lost),
			),
		];
	}
	return [...about, readFile(block, source, at, j)];
}

function readFile(block: ContentBlock, source: Record<string, unknown> | undefined, at: number, j: number): LanguageModelV4FilePart {
	const mediaType =
		typeof source?.['media_type'] === 'string' ? source['media_type'] : block.type === 'image' ? 'image/*' : 'application/pdf';
	const filename = typeof block['title'] === 'string' ? { filename: block['title'] } : {};
	switch (source?.['type']) {
		case 'base64':
			return { type: 'file', mediaType, data: { type: 'data', data: String(source['data']) }, ...filename };
		case 'url':
			if (URL.canParse(String(source['url']))) {
				return { type: 'file', mediaType, data: { type: 'url', url: new URL(String(source['url'])) }, ...filename };
			}
			throw createBlockFault(at, j, "source.url isn't a valid URL");
		default:
			throw createBlockFault(at, j, `sources of type ${String(source?.['type'])} can't be sent to another provider`);
	}
}

/** Returns the text of a text block. Throws an error (400) if it has none. */
export function readBlockText(block: ContentBlock, at: number, j: number): string {
	if (typeof block['text'] !== 'string') {
		throw createBlockFault(at, j, 'text: Field required');
	}
	return block['text'];
}

/** Creates an error (400) that names the message and the block. */
export function createBlockFault(at: number, j: number, problem: string): ServiceFault {
	return new ServiceFault(400, `messages.${at}.content.${j}: ${problem}`);
}
