import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type ContentBlock, type MessagesRequest, type Tool, toolSchema } from '#contract/text/messages.ts';
import { type CallExtras, listUnreadFields } from '../modelCall.ts';

/**
 * Returns the tools that are offered at this point of the conversation. Deferred tools (`defer_loading`) aren't offered until a
 * `tool_reference` names them, as with Anthropic's tool search. Additions and removals in system messages apply from their position on.
 * Anthropic's web search is returned separately. Other Anthropic tools throw an error (400) that names the first.
 */
export function readMessagesTools(
	request: MessagesRequest,
	lost: string[],
): { tools: LanguageModelV4FunctionTool[]; webSearch?: NonNullable<CallExtras['webSearch']> } {
	const known = new Map<string, Tool>();
	const offered = new Set<string>();
	let webSearch: CallExtras['webSearch'];
	let offersAll = false;
	for (const [i, tool] of (request.tools ?? []).entries()) {
		const type = tool['type'] ?? 'custom';
		const field = `tools.${i}`;
		if (type === 'custom') {
			const name = getToolName(tool, `${field}.name`);
			known.set(name, tool);
			if (tool['defer_loading'] !== true) {
				offered.add(name);
			}
			lost.push(...listUnreadFields(tool, toolFields, `${field}.`));
		} else if (/^web_search_\d+$/.test(String(type))) {
			webSearch = { field: `${field} (${String(type)})` };
			lost.push(
				...searchSettings
					.filter(name => tool[name] !== undefined && tool[name] !== null)
					.map(name => `${field}.${name}: ignored because the search of other services has no such setting`),
			);
		} else if (/^tool_search_tool_/.test(String(type))) {
			offersAll = true;
			lost.push(`${field}: ignored because other services get all tools instead of Anthropic's tool search`);
		} else {
			throw new ServiceFault(400, `${field}: only Anthropic's models support ${String(type)}. Remove it, or use an Anthropic model.`);
		}
	}
	for (const name of offersAll ? known.keys() : findNamedTools(request)) {
		offered.add(name);
	}
	applyToolChanges(request, known, offered);
	return {
		tools: [...known].filter(([name]) => offered.has(name)).map(([name, tool]) => toFunctionTool(name, tool)),
		...(webSearch && { webSearch }),
	};
}

/** Fields of a tool that are converted, or irrelevant to other services. */
const toolFields = new Set([
	'type',
	'name',
	'description',
	'input_schema',
	'strict',
	'defer_loading',
	'cache_control',
	'eager_input_streaming',
]);
const searchSettings = ['allowed_domains', 'blocked_domains', 'max_uses', 'user_location'];

/** Yields the names of tools that the conversation needs: found by a search, called before, or required now. */
function* findNamedTools({ messages, tool_choice, tool_choices }: MessagesRequest): Iterable<string> {
	for (const { content } of messages) {
		for (const block of typeof content === 'string' ? [] : content) {
			if (block.type === 'tool_use') {
				yield String(block['name']);
			}
			for (const inner of Array.isArray(block['content']) ? (block['content'] as ContentBlock[]) : []) {
				if (inner.type === 'tool_reference') {
					yield String(inner['tool_name']);
				}
			}
		}
	}
	const named = (tool_choice ?? tool_choices)?.['name'];
	if (typeof named === 'string') {
		yield named;
	}
}

function applyToolChanges({ messages }: MessagesRequest, known: Map<string, Tool>, offered: Set<string>): void {
	for (const [i, { role, content }] of messages.entries()) {
		for (const [j, block] of role === 'system' && typeof content !== 'string' ? content.entries() : []) {
			if (block.type !== 'tool_addition' && block.type !== 'tool_removal') {
				continue;
			}
			const { definition, name } = (block['tool'] ?? {}) as { definition?: unknown; name?: unknown };
			const added = toolSchema.safeParse(definition).data;
			if (definition !== undefined && (!added || (added['type'] ?? 'custom') !== 'custom')) {
				throw new ServiceFault(400, `messages.${i}.content.${j}.tool.definition: this tool can't be sent to another provider`);
			}
			const changed = added ? getToolName(added, `messages.${i}.content.${j}.tool.definition.name`) : String(name);
			if (added) {
				known.set(changed, added);
			}
			if (block.type === 'tool_addition') {
				offered.add(changed);
			} else {
				offered.delete(changed);
			}
		}
	}
}

/** Returns the name of a tool. The contract accepts any object, but a tool without a name can't be called. */
function getToolName({ name }: Tool, field: string): string {
	if (name === undefined) {
		throw new ServiceFault(400, `${field}: Field required`);
	}
	if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
		throw new ServiceFault(400, `${field}: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
	}
	return name;
}

function toFunctionTool(name: string, tool: Tool): LanguageModelV4FunctionTool {
	return {
		type: 'function',
		name,
		...(tool.description !== undefined && { description: tool.description }),
		inputSchema: (tool.input_schema ?? { type: 'object', properties: {} }) as JSONSchema7,
		...(typeof tool['strict'] === 'boolean' && { strict: tool['strict'] }),
	};
}
