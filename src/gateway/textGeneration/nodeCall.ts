import type {
	JSONSchema7,
	LanguageModelV4CallOptions,
	LanguageModelV4FilePart,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { toFields } from '#base/records/plainValues.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelContentPart, ModelMessage, ModelRequest, ModelTool } from '#engine/run/engineTypes.ts';
import { parseArguments } from '#models/exactJson.ts';

/** Converts a node's model request to the format of the AI SDK's providers. Throws an error (400) for an image without a URL. */
export function toModelCall(request: ModelRequest): LanguageModelV4CallOptions {
	const { maxTokens, temperature, topP, topK, stop, responseSchema, tools = [], toolsInPrompt, callsNoTools } = request;
	return {
		prompt: toPrompt(request.messages),
		...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(topK !== undefined && { topK }),
		...(stop?.length && { stopSequences: [...stop] }),
		...(responseSchema && { responseFormat: { type: 'json' as const, schema: responseSchema as JSONSchema7 } }),
		...(tools.length > 0 && { tools: tools.map(toTool) }),
		...(callsNoTools && { toolChoice: { type: 'none' as const } }),
		...((tools.length > 0 || toolsInPrompt) && { providerOptions: createAgentOptions(toolsInPrompt) }),
	};
}

/** Returns options that make the offline model call tools like an agent's model. Other providers ignore them. */
function createAgentOptions(toolsInPrompt: readonly ModelTool[] | undefined): SharedV4ProviderOptions {
	return { offline: { agent: true, ...(toolsInPrompt && { toolsInPrompt: toolsInPrompt.map(tool => ({ ...tool }) as never) }) } };
}

function toTool({ name, description, parameters }: ModelTool): NonNullable<LanguageModelV4CallOptions['tools']>[number] {
	return { type: 'function', name, description, inputSchema: parameters as JSONSchema7 };
}

/** Converts messages to a prompt. Joins system messages at the start, because some providers accept no others. */
function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
	const systems = messages.filter(({ role }) => role === 'system').map(({ content }) => getText(content));
	const turns = messages.filter(({ role }) => role !== 'system').map(toMessage);
	return [...(systems.length > 0 ? [{ role: 'system' as const, content: systems.join('\n\n') }] : []), ...joinToolResults(turns)];
}

function toMessage({ role, content, calls = [], thoughts = [], answers }: ModelMessage): LanguageModelV4Message {
	if (role === 'user') {
		return { role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(toPart) };
	}
	if (role === 'tool' && answers) {
		const output = { type: 'text' as const, value: getText(content) };
		return { role, content: [{ type: 'tool-result', toolCallId: answers.id, toolName: answers.name, output }] };
	}
	const text = getText(content);
	return {
		role: 'assistant',
		content: [
			...thoughts.map(({ text, metadata }) => ({
				type: 'reasoning' as const,
				text,
				...(metadata && { providerOptions: metadata as SharedV4ProviderOptions }),
			})),
			...(text !== '' || calls.length === 0 ? [{ type: 'text' as const, text }] : []),
			...calls.map(({ id, name, input, metadata }) => ({
				type: 'tool-call' as const,
				toolCallId: id,
				toolName: name,
				input: parseInput(input),
				...(metadata && { providerOptions: metadata as SharedV4ProviderOptions }),
			})),
		],
	};
}

/** Joins the results of parallel calls in one message, because some services only accept them together. */
function joinToolResults(turns: readonly LanguageModelV4Message[]): LanguageModelV4Prompt {
	const joined: LanguageModelV4Prompt = [];
	for (const turn of turns) {
		const last = joined.at(-1);
		if (turn.role === 'tool' && last?.role === 'tool') {
			joined[joined.length - 1] = { ...last, content: [...last.content, ...turn.content] };
		} else {
			joined.push(turn);
		}
	}
	return joined;
}

/** Parses the input of a call. Services expect an object, but a model may have written invalid JSON. */
function parseInput(json: string): unknown {
	try {
		return toFields(parseArguments(json));
	} catch {
		return {};
	}
}

function getText(content: string | readonly ModelContentPart[]): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('');
}

function toPart(part: ModelContentPart): { type: 'text'; text: string } | LanguageModelV4FilePart {
	if (part.type === 'text') {
		return { type: 'text', text: part.text };
	}
	if ('data' in part) {
		return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } };
	}
	if (!URL.canParse(part.url)) {
		throw new ServiceFault(400, localizable`An image has no valid URL. Expected an http:// or https:// URL.`);
	}
	return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(part.url) } };
}
