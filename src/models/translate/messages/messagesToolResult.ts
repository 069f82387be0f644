import type { JSONValue, LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { ContentBlock } from '#contract/text/messages.ts';
import { failedResult } from '../../fit/liftToolFiles.ts';
import { createBlockFault, readBlockText, readFileParts } from './messagesBlocks.ts';
import { formatSearchResult } from './serverToolText.ts';

type Piece = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

/** Converts a tool result block. Throws an error (400) if its call doesn't exist, and for an unsupported block. */
export function readToolResult(
	block: ContentBlock,
	at: number,
	j: number,
	toolNames: ReadonlyMap<string, string>,
	lost: string[],
): LanguageModelV4ToolResultPart {
	const id = String(block['tool_use_id']);
	const toolName = toolNames.get(id);
	if (toolName === undefined) {
		throw createBlockFault(
			at,
			j,
			`unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. It has no \`tool_use\` block in an earlier message`,
		);
	}
	const { content } = block;
	const failed = block['is_error'] === true;
	const call = { type: 'tool-result' as const, toolCallId: id, toolName };
	if (!Array.isArray(content)) {
		const value = typeof content === 'string' ? content : JSON.stringify((content ?? '') as JSONValue);
		return { ...call, output: { type: failed ? 'error-text' : 'text', value } };
	}
	const pieces = (content as ContentBlock[]).flatMap(inner => readResultParts(inner, at, j, lost));
	const texts = pieces.flatMap(piece => (piece.type === 'text' ? [piece.text] : []));
	if (texts.length === pieces.length) {
		return { ...call, output: { type: failed ? 'error-text' : 'text', value: texts.join('\n') } };
	}
	return { ...call, output: { type: 'content', value: pieces }, ...(failed && { providerOptions: failedResult }) };
}

function readResultParts(block: ContentBlock, at: number, j: number, lost: string[]): Piece[] {
	switch (block.type) {
		case 'text':
			return [{ type: 'text', text: readBlockText(block, at, j) }];
		case 'tool_reference':
			// the search offers this tool from now on (see messagesTools)
			return [{ type: 'text', text: `The tool ${String(block['tool_name'])} can be called now.` }];
		case 'search_result':
			return [{ type: 'text', text: formatSearchResult(block) }];
		default:
			return readFileParts(block, at, j, lost);
	}
}
