import type { LanguageModelV4Source, LanguageModelV4ToolCall, LanguageModelV4ToolResult } from '@ai-sdk/provider';
import type { ContentBlock } from '#contract/text/messages.ts';
import { createId } from '../newId.ts';
import { parseToolInput } from '../toolInput.ts';

/** Creates the block of a tool call that the service itself ran. */
export function createServerToolUse({ toolCallId, toolName, input }: LanguageModelV4ToolCall): ContentBlock {
	return { type: 'server_tool_use', id: toolCallId, name: toolName, input: parseToolInput(toolName, input) };
}

/** Creates the block for the result of a tool call that the service ran. */
export function createServerToolResult({ toolCallId, toolName, result }: LanguageModelV4ToolResult): ContentBlock {
	return { type: `${toolName}_tool_result`, tool_use_id: toolCallId, content: result };
}

/** Converts web search sources to Anthropic's form: a search and its results. Empty if there are none. */
export function createSearchBlocks(sources: readonly LanguageModelV4Source[]): ContentBlock[] {
	const pages = new Map(
		sources.flatMap(source => (source.sourceType === 'url' ? [[source.url, source.title ?? source.url] as const] : [])),
	);
	if (pages.size === 0) {
		return [];
	}
	const id = createId('srvtoolu_');
	const content = [...pages].map(([url, title]) => ({ type: 'web_search_result', url, title, encrypted_content: '', page_age: null }));
	return [
		{ type: 'server_tool_use', id, name: 'web_search', input: {} },
		{ type: 'web_search_tool_result', tool_use_id: id, content },
	];
}
