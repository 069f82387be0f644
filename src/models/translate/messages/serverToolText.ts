import type { ContentBlock } from '#contract/text/messages.ts';

/**
 * Converts blocks of Anthropic's tools in earlier turns to text for other services: `server_tool_use`, `mcp_tool_use`, their results, and
 * summaries (`compaction`). Undefined for other blocks.
 */
export function formatServerTool(block: ContentBlock): string | undefined {
	if (block.type === 'compaction') {
		return `Summary of the conversation so far:\n${String(block['content'] ?? '')}`;
	}
	if (/_tool_use$/.test(block.type)) {
		return `[${String(block['name'])}: ${JSON.stringify(block['input'] ?? {})}]`;
	}
	if (/_tool_result$/.test(block.type)) {
		return `[Result of ${block.type.replace(/_tool_result$/, '')}: ${JSON.stringify(block['content'] ?? null, dropEncryptedField)}]`;
	}
	return undefined;
}

/** Formats a `search_result` block as text. */
export function formatSearchResult({ title, source, content }: ContentBlock): string {
	const texts = (Array.isArray(content) ? (content as ContentBlock[]) : []).map(({ text }) => String(text ?? ''));
	return [`${String(title ?? '')} (${String(source ?? '')})`, ...texts].join('\n');
}

/** Drops fields that only Anthropic can read. */
function dropEncryptedField(name: string, value: unknown): unknown {
	return name.startsWith('encrypted_') ? undefined : value;
}
